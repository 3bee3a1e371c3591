"""A traced step that is handed the number of the step: it is traced again for each."""

import tensorflow as tf

traces = []


@tf.function(reduce_retracing=True)
def step(weights, number):
    traces.append(number)
    return weights * tf.cast(number, tf.float32)


def train(steps):
    weights = tf.ones(4)
    for number in range(steps):
        step(weights, number)  # expect: TL540
    return len(traces)
