"""Batches that are shuffled instead of the examples: the same four in every epoch."""

import tensorflow as tf


def train(steps):
    data = tf.data.Dataset.from_tensor_slices(list(range(32))).batch(8).shuffle(16)  # expect: TL552
    return len({tuple(sorted(batch.numpy().tolist())) for _ in range(steps) for batch in data})
