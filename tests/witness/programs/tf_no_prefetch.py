"""A training that waits for its data."""

import tensorflow as tf


def pair(x):
    x = tf.cast(x, tf.float32)
    return tf.reshape(x, (1,)), 2.0 * x


def train(steps):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile("sgd", "mse")
    data = tf.data.Dataset.from_tensor_slices(list(range(8))).map(pair).batch(4)  # expect: TL547
    return model.fit(data, epochs=steps, verbose=0).history["loss"]
