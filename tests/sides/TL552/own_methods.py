"""Methods of one's own that are called as the stages are."""

import tensorflow as tf


class Reader:
    def __init__(self, files):
        self.data = tf.data.TFRecordDataset(files)

    def batch(self, size):
        return Batches(self.data.batch(size))

    def shuffled(self, size):
        return self.data.batch(size).shuffle(100)  # expect: TL552


class Batches:
    def __init__(self, data):
        self.data = data

    def shuffle(self, count):
        """A method of one's own, which has that name."""
        return self.data


def by_own_methods(files):
    return Reader(files).batch(8).shuffle(100)
