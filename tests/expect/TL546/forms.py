"""Batches of different sizes for programs that are compiled for one."""
# Modelled on keras-team/keras-cv (imagenet, retinanet), AI-Hypercomputer/maxtext (train_rl), google/uncertainty-baselines (cifar).

import grain.python as grain
import tensorflow as tf
import tensorflow_datasets as tfds


def get_strategy(use_tpu, address):
    if use_tpu:
        resolver = tf.distribute.cluster_resolver.TPUClusterResolver(tpu=address)
        tf.config.experimental_connect_to_cluster(resolver)
        tf.tpu.experimental.initialize_tpu_system(resolver)
        return tf.distribute.experimental.TPUStrategy(resolver)
    return tf.distribute.MirroredStrategy()


class Task:
    def __init__(self, flags):
        self.strategy = get_strategy(flags.use_tpu, flags.address)
        self.size = flags.size

    def build(self, layers):
        with self.strategy.scope():
            self.model = layers()
        return self.model

    def train(self, files, parse, layers):
        model = self.build(layers)
        data = tf.data.TFRecordDataset(files).shuffle(10000)
        data = data.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        data = data.apply(tf.data.experimental.dense_to_ragged_batch(self.size))  # expect: TL546
        model.fit(x=data.prefetch(tf.data.AUTOTUNE), epochs=20)


def custom_loop(flags, train_step, epochs):
    strategy = get_strategy(True, flags.address)
    data = tfds.load("cifar10", split="train").cache().shuffle(50000)
    data = data.batch(batch_size=flags.size, drop_remainder=False)  # expect: TL546
    distributed = strategy.experimental_distribute_dataset(data)
    for _ in range(epochs):
        for batch in distributed:
            strategy.run(train_step, args=(batch,))


def two_sets(config, train, test, fits):
    train = grain.MapDataset.source(train).shuffle(seed=config.seed).map(config.process)
    test = grain.MapDataset.source(test).map(config.process)
    train = train.filter(fits)
    train = train[: config.size].repeat(config.num_epoch)
    train = train.to_iter_dataset().batch(config.batch_size)  # expect: TL546
    return train, test.to_iter_dataset().batch(config.batch_size)
