"""Stages whose order makes all epochs alike."""
# Modelled on keras-team/keras-cv (pascal_voc), google/automl (segmentation), mlcommons/algorithmic-efficiency (fastmri).

import functools

import numpy as np
import tensorflow as tf
import tensorflow_datasets as tfds


def ragged(train_ds, parse, pad, replicas):
    train_ds = train_ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    train_ds = train_ds.apply(tf.data.experimental.dense_to_ragged_batch(4 * replicas, drop_remainder=True))
    train_ds = train_ds.map(pad, num_parallel_calls=tf.data.AUTOTUNE)
    train_ds = train_ds.shuffle(8)  # expect: TL552
    return train_ds.prefetch(2)


def only_for_training(path, size, training):
    data = tf.data.TFRecordDataset(path)
    data = data.padded_batch(size, padded_shapes=([None], [None]))
    if training:
        data = data.shuffle(512)  # expect: TL552
    return data


class Input:
    def __init__(self, arrays, size):
        self.data = tf.data.Dataset.from_tensor_slices(arrays).batch(size)

    def train(self):
        return self.data.shuffle(100, reshuffle_each_iteration=True).prefetch(1)  # expect: TL552


def flipped(datapoint):
    image = tf.image.resize(datapoint["image"], (128, 128))
    if tf.random.uniform(()) > 0.5:
        image = tf.image.flip_left_right(image)
    return image


def read(example, root):
    return crop(tf.io.read_file(root + example))


def crop(image):
    return tf.image.random_crop(image, (24, 24, 3))


def kept(size):
    dataset, info = tfds.load("oxford_iiit_pet", with_info=True)
    train = dataset["train"].map(flipped, num_parallel_calls=tf.data.AUTOTUNE)
    train_data = train.cache().shuffle(1000).batch(size).repeat()  # expect: TL552
    return train_data.prefetch(tf.data.AUTOTUNE), info


def kept_in_a_file(names, root, size, cache):
    data = tf.data.Dataset.from_tensor_slices(names)
    data = data.map(functools.partial(read, root=root))
    if cache:
        data = data.cache("/tmp/cache")  # expect: TL552
    return data.shuffle(100).batch(size)
