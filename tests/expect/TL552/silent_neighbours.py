"""Orders that are right, though they look wrong."""
# Modelled on tensorflow/agents (kumar20), mlcommons/algorithmic-efficiency (fastmri),
# dragen1860/TensorFlow-2.x-Tutorials, google-research/big_vision, keras-team/keras-cv.

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
    return tf.data.Dataset.from_tensor_slices(files).shuffle(10).interleave(lambda file: of_a_file(file, size)).unbatch().shuffle(10)
