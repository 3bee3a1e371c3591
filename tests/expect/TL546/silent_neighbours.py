"""Batches of one size, batches of evaluations, and programs that are compiled for none."""
# Modelled on google/uncertainty-baselines (cifar), google/automl (efficientdet), AI-Hypercomputer/maxtext, keras-team/keras-cv.

import grain
import tensorflow as tf
import tensorflow_datasets as tfds


def strategy_of(address):
    return tf.distribute.TPUStrategy(tf.distribute.cluster_resolver.TPUClusterResolver(address))


def either(files, size, is_training, drop_remainder):
    data = tf.data.TFRecordDataset(files)
    if is_training:
        data = data.shuffle(1000).repeat()
    return data.batch(size, drop_remainder=drop_remainder)


def by_flag(address, files, build, flags):
    strategy = strategy_of(address)
    with strategy.scope():
        model = build()
    model.fit(either(files, flags.size, flags.training, flags.drop_remainder))


def as_many_steps(address, files, build, size, count):
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).shuffle(100).batch(size), steps_per_epoch=count // size)


def counted_steps(address, files, step, size, count):
    strategy = strategy_of(address)
    data = strategy.experimental_distribute_dataset(tf.data.TFRecordDataset(files).shuffle(100).batch(size))
    for _ in range(10):
        batches = iter(data)
        for _ in range(count // size):
            strategy.run(step, args=(next(batches),))


def evaluation(address, files, step, size):
    strategy = strategy_of(address)
    for batch in strategy.experimental_distribute_dataset(tf.data.TFRecordDataset(files).batch(size)):
        strategy.run(step, args=(batch,))


def one_of_two(address, files, build, size, training):
    with strategy_of(address).scope():
        model = build()
    data = tf.data.TFRecordDataset(files)
    data = data.shuffle(100).batch(size, drop_remainder=True) if training else data.batch(size)
    model.fit(data)


def cut(address, build, size):
    with strategy_of(address).scope():
        model = build()
    model.fit(tfds.load("mnist", split="train").take(100 * size).shuffle(100).batch(size))


def single(address, files, build):
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).shuffle(100).batch(1))


def unknown(strategy, files, build, size):
    with strategy.scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).shuffle(100).batch(size))


def arrays(address, build, images, labels, size):
    with strategy_of(address).scope():
        model = build()
    model.fit(images, labels, batch_size=size)


def endless(records, size):
    return grain.MapDataset.source(records).shuffle(seed=1).repeat().to_iter_dataset().batch(size)


def dropped(records, size):
    return grain.MapDataset.source(records).shuffle(seed=1).batch(size, drop_remainder=True)
