"""Numbers of rounds that a record or a helper hands on."""

import tensorflow as tf


class Progress:
    def __init__(self, step, total):
        self.step = step
        self.total = total


def as_tensor(number):
    return tf.constant(number, tf.int64)


@tf.function
def train_step(model, images, step):
    tf.summary.scalar("mean", tf.reduce_mean(images), step=step)
    return model(images, training=True)


def fit(model, batches, total):
    for step, images in enumerate(batches):
        progress = Progress(step, total)
        train_step(model, images, progress.step)  # expect: TL540


def fit_tensor(model, batches, total):
    for step, images in enumerate(batches):
        progress = Progress(as_tensor(step), total)
        train_step(model, images, progress.step)
