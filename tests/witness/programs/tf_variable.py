"""A variable that a traced function makes at each call: TensorFlow refuses."""

import tensorflow as tf


@tf.function
def total(images):
    found = tf.Variable(0.0)  # expect: TL550
    return found.assign_add(tf.reduce_sum(images))


def train(steps):
    return [float(total(tf.ones(3))) for _ in range(steps)]
