"""The number comes from the loop of a caller; one that is no other in each round."""

import tensorflow as tf


@tf.function
def train_step(model, images, step):
    tf.summary.scalar("mean", tf.reduce_mean(images), step=step)
    return model(images, training=True)


def one_round(model, images, step):
    train_step(model, images, step)  # expect: TL540


def fit(model, batches):
    stream = iter(enumerate(batches))
    done = 0
    while done < len(batches):
        step, images = next(stream)
        done += 1
        one_round(model, images, step)


def with_a_setting(model, images, size):
    train_step(model, images, size)


def fit_with_a_setting(model, batches, size):
    for images in batches:
        with_a_setting(model, images, size)
