"""A compiled step on batches of four of ten examples, with the last two and without: what is known of their number, and the traces."""

import tensorflow as tf


def compiled(data):
    @tf.function(jit_compile=True)
    def step(x):
        return tf.reduce_sum(x * x)

    for batch in data:
        step(batch)
    return [data.element_spec.shape[0], step.experimental_get_tracing_count()]


def train(steps):
    data = tf.data.Dataset.range(10)
    return [compiled(data.batch(4)), compiled(data.batch(4, drop_remainder=True))]
