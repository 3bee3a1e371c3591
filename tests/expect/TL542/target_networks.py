"""Two models that one function makes: only the one whose variables a tape differentiates for is trained."""

import tensorflow as tf
from tensorflow.keras import layers


def get_critic(size):
    inputs = layers.Input(shape=(size,))
    hidden = layers.BatchNormalization()(layers.Dense(16, activation="relu")(inputs))
    return tf.keras.Model(inputs, layers.Dense(1)(hidden))


critic = get_critic(3)
target_critic = get_critic(3)
optimizer = tf.keras.optimizers.Adam(0.002)


class Buffer:
    @tf.function
    def update(self, states, rewards, next_states):
        with tf.GradientTape() as tape:
            wanted = rewards + 0.99 * target_critic(next_states)
            loss = tf.math.reduce_mean(tf.math.square(wanted - critic(states)))  # expect: TL542
        gradients = tape.gradient(loss, critic.trainable_variables)
        optimizer.apply_gradients(zip(gradients, critic.trainable_variables))


def train(batches):
    model, teacher = get_critic(3), get_critic(3)
    teacher.set_weights(model.get_weights())
    for states, _ in batches:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(states) - teacher(states)) ** 2)  # expect: TL542
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


def main(batches):
    buffer = Buffer()
    for batch in batches:
        buffer.update(*batch)
    train(batches)
