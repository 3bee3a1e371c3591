"""Who gets past an assertion, or past what raises, has used a device; who may have left before has perhaps not."""

import tensorflow as tf


def checked(size):
    assert size > 0
    if size > 1000:
        raise ValueError(size)
    return tf.zeros((size, 3))


def left(size):
    if size > 1000:
        return None
    return tf.zeros((size, 3))


def late():
    assert tf.__version__ >= "2"
    start = checked(3)
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)  # expect: TL545
    return start


def perhaps(size):
    start = left(size)
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
    return start


def in_time():
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
    return checked(3)
