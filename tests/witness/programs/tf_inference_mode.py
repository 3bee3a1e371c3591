"""A model with dropout that is trained without a word on its mode: nothing is ever dropped."""

import tensorflow as tf
from tensorflow.keras import layers

model = tf.keras.Sequential([layers.Dropout(0.5), layers.Dense(1, use_bias=False, kernel_initializer="ones")])
optimizer = tf.keras.optimizers.SGD(0.0)


def train(steps):
    changed = 0
    inputs = tf.ones((1, 64))
    for _ in range(steps):
        with tf.GradientTape() as tape:
            output = model(inputs)  # expect: TL542
            loss = tf.reduce_sum(output)
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        changed += int(float(loss) != 64.0)
    return changed
