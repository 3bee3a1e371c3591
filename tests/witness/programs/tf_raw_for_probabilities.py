"""Raw output that a loss takes for probabilities: what is below 0 has no gradient."""

import tensorflow as tf
from tensorflow import keras

model = keras.Sequential([keras.layers.Dense(2, use_bias=False, kernel_initializer=keras.initializers.Constant(-1.0))])
optimizer = keras.optimizers.SGD(1.0)
loss_fn = keras.losses.SparseCategoricalCrossentropy()  # expect: TL549


def train(steps):
    inputs, labels, losses = tf.eye(2), tf.constant([0, 1]), []
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = loss_fn(labels, model(inputs, training=True))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))
        losses.append(float(loss))
    return losses
