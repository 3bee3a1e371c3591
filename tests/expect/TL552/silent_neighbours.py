"""Orders that are right, though they look wrong."""
# Modelled on tensorflow/agents (kumar20), mlcommons/algorithmic-efficiency (fastmri),
# dragen1860/TensorFlow-2.x-Tutorials, google-research/big_vision, keras-team/keras-cv.

import functools
import random

import numpy as np
import tensorflow as tf
import tensorflow_datasets as tfds


def seeded(arrays, key, train):
    def draw(index, example):
        seed = tf.random.experimental.stateless_fold_in(key, index)
        return example * tf.random.stateless_uniform((), seed)

    data = tf.data.Dataset.from_tensor_slices(arrays).enumerate().map(draw)
    if train:
        return data.shuffle(100).repeat().batch(8)
    return data.batch(8).cache().repeat()


def one_for_each_split(files, size, training):
    data = tf.data.TFRecordDataset(files)
    if training:
        data = data.shuffle(1000).repeat()
    data = data.batch(size)
    return data.shuffle(4) if training else data


def evaluated(arrays, train):
    data = tf.data.Dataset.from_tensor_slices(arrays).map(lambda x: x + tf.random.normal((3,)))
    if train:
        return data.shuffle(100).batch(8)
    data = data.cache()
    return data.batch(8)


def of_devices(examples, per_device, devices):
    data = tfds.load("imagenet2012", split="train").cache().shuffle(10000)
    return data.batch(per_device).batch(devices)


def mapped_in_batches(arrays, size, preprocess):
    return tf.data.Dataset.from_tensor_slices(arrays).shuffle(60000).batch(size).map(preprocess).repeat(30)


def sequences(values, length, size):
    windows = tf.data.Dataset.from_tensor_slices(values).window(length, drop_remainder=True)
    return windows.flat_map(lambda window: window.batch(length)).shuffle(100).batch(size)


def of_a_generator(batches):
    return tf.data.Dataset.from_generator(batches, output_types=tf.float32).shuffle(10).repeat()


def by_length(examples, boundaries, sizes):
    data = tf.data.Dataset.from_generator(examples, output_types=tf.int32)
    return data.bucket_by_sequence_length(tf.size, boundaries, sizes).shuffle(50)


def of_something_else(batches, size):
    random.shuffle(batches)
    np.random.shuffle(batches)
    return batches.batch(size).shuffle(10)


def flip(image):
    return tf.image.random_flip_left_right(image)


def right_order(files, size):
    return tf.data.TFRecordDataset(files).cache().shuffle(100).map(flip).batch(size).prefetch(tf.data.AUTOTUNE)


def transitions(file, parse):
    pairs = tf.data.TFRecordDataset(file).map(parse).batch(2, drop_remainder=True)
    return pairs.shuffle(1000)


def of_a_file(file, size):
    return tf.data.TFRecordDataset(file).batch(size).shuffle(100)


def of_many_files(files, size):
    return (
        tf.data.Dataset.from_tensor_slices(files).shuffle(10).interleave(lambda file: of_a_file(file, size)).unbatch().shuffle(10)
    )


class Photos:
    """Each time it is gone over it has another order."""

    def __init__(self, paths):
        self.paths = paths

    def generate(self, limit=None):
        random.shuffle(self.paths)
        for path in self.paths[:limit]:
            yield np.load(path)

    def __call__(self):
        for number in np.random.permutation(len(self.paths)):
            yield np.load(self.paths[number])


def generated_in_another_order(model, paths):
    photos = Photos(paths)
    model.fit(tf.data.Dataset.from_generator(photos.generate, tf.float32).batch(32).shuffle(8))
    model.fit(tf.data.Dataset.from_generator(functools.partial(photos.generate, limit=100), tf.float32).batch(32).shuffle(8))
    model.fit(tf.data.Dataset.from_generator(photos, tf.float32).batch(32).shuffle(8))
