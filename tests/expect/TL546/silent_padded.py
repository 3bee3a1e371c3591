"""Last batches that are filled up, and programs for TPUs in which the loop drops them, as the documentation of TensorFlow has it."""
# Modelled on google/uncertainty-baselines (datasets/base), tensorflow/tpu, google-research/simclr.

import jax
import tensorflow as tf
import tensorflow_datasets as tfds


def strategy_of(address):
    return tf.distribute.TPUStrategy(tf.distribute.cluster_resolver.TPUClusterResolver(address))


class Builder:
    def __init__(self, drop_remainder, mask_and_pad):
        self.drop_remainder = drop_remainder
        self.mask_and_pad = mask_and_pad

    def load(self, files, size):
        data = tf.data.TFRecordDataset(files).shuffle(1000)
        if self.mask_and_pad and not self.drop_remainder:
            padding = tf.data.Dataset.from_tensor_slices({"mask": [0.0]})
            data = data.concatenate(padding.repeat(size - 1))
            return data.batch(size, drop_remainder=True)
        return data.batch(size, drop_remainder=self.drop_remainder)


def masked(address, files, build, size):
    with strategy_of(address).scope():
        model = build()
    model.fit(Builder(drop_remainder=False, mask_and_pad=True).load(files, size))


def filled_before(address, files, filler, build, size):
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).shuffle(100).concatenate(filler).batch(size))


def filled_behind(address, files, build, size):
    def fill(batch):
        return tf.pad(batch, [[0, size - tf.shape(batch)[0]], [0, 0]])

    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).shuffle(100).batch(size).map(fill))


def per_replica(address, files, step, steps):
    strategy = strategy_of(address)

    def make(context):
        size = context.get_per_replica_batch_size(1024)
        data = tf.data.TFRecordDataset(files).shard(context.num_input_pipelines, context.input_pipeline_id)
        return data.shuffle(1000).repeat().batch(size, drop_remainder=True).prefetch(2)

    batches = iter(strategy.distribute_datasets_from_function(make))
    for _ in range(steps):
        strategy.run(step, args=(next(batches),))


def positional(address, files, build, size):
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).shuffle(100).batch(size, True))


def predicted(address, files, build, size):
    with strategy_of(address).scope():
        model = build()
    return model.predict(tf.data.TFRecordDataset(files).batch(size))


@jax.jit
def step_of(state, batch):
    return state


def compiled(state, data, size, steps):
    """JAX compiles the step; the batches are all of one size, or the short one never comes, or nothing is trained."""
    for batch in tfds.as_numpy(data.shuffle(100).batch(size, drop_remainder=True)):
        state = step_of(state, batch)
    for batch in tfds.load("mnist", split="train").repeat().shuffle(100).batch(size):
        state = step_of(state, batch)
    for step, batch in enumerate(tfds.load("mnist", split="train").shuffle(100).batch(size)):
        if step == steps:
            break
        state = step_of(state, batch)
    for batch in tfds.load("mnist", split="test").batch(size):
        print(step_of(state, batch))
    for batch in tfds.load("mnist", split="train").shuffle(100).batch(size):
        print(batch, state)
    return state
