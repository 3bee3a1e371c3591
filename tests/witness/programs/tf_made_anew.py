"""A function that is traced in each round, because `tf.function` is called there."""

import tensorflow as tf

traces = []


def forward(weights):
    traces.append(weights)
    return weights * 2


def train(steps):
    weights = tf.ones(4)
    for _ in range(steps):
        weights = tf.function(forward)(weights)  # expect: TL540
    return len(traces)
