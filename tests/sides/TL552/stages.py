"""Stages of tf.data in an order that makes epochs alike, and the neighbours in which they do not."""

from functools import partial

import tensorflow as tf
import tensorflow_datasets as tfds

FOUR = 4


def batches_shuffled(files, size):
    return tf.data.TFRecordDataset(files).batch(size).shuffle(100)  # expect: TL552


def examples_shuffled(files, size):
    return tf.data.TFRecordDataset(files).shuffle(100).batch(size)


def padded_batches(files, size):
    return tf.data.TFRecordDataset(files).padded_batch(size).shuffle(100)  # expect: TL552


def batches_by_keyword(files, size):
    return tf.data.TFRecordDataset(files).batch(batch_size=size).shuffle(100)  # expect: TL552


def batches_of_four(files):
    return tf.data.TFRecordDataset(files).batch(4).shuffle(100)  # expect: TL552


def batches_of_one(files):
    return tf.data.TFRecordDataset(files).batch(1).shuffle(100)


def pairs(files):
    return tf.data.TFRecordDataset(files).batch(2).shuffle(100)


def shuffled_before(files, size):
    return tf.data.TFRecordDataset(files).shuffle(100).batch(size).shuffle(10)


def unbatched(files, size):
    return tf.data.TFRecordDataset(files).batch(size).unbatch().shuffle(100)


def batched_again(files, size):
    return tf.data.TFRecordDataset(files).batch(8).shuffle(100).batch(size)


def other_stages_between(files, size, parse):
    return tf.data.TFRecordDataset(files).batch(size).map(parse).shuffle(100)  # expect: TL552


def applied_between(files, size, transform):
    """What a function that is applied does to the batches nobody sees."""
    return tf.data.TFRecordDataset(files).batch(size).apply(transform).shuffle(100)


def applied_nothing_known(files, size, transforms):
    return tf.data.TFRecordDataset(files).batch(size).apply(transforms[0]).shuffle(100)


def applied_by_keyword(files, size, transform):
    return tf.data.TFRecordDataset(files).batch(size).apply(transformation_func=transform).shuffle(100)


def applied_ragged(files, size):
    data = tf.data.TFRecordDataset(files).apply(tf.data.experimental.dense_to_ragged_batch(size))
    return data.shuffle(100)  # expect: TL552


def listed_in_order(pattern, size):
    return tf.data.Dataset.list_files(pattern, shuffle=False).batch(size).shuffle(100)  # expect: TL552


def listed_in_any_order(pattern, size):
    return tf.data.Dataset.list_files(pattern, shuffle=True).batch(size).shuffle(100)


def listed_by_setting(pattern, size, shuffled):
    return tf.data.Dataset.list_files(pattern, shuffle=shuffled).batch(size).shuffle(100)


def by_a_choice(files, size, first):
    """One of two ways shuffles the examples."""
    data = tf.data.TFRecordDataset(files)
    if first:
        data = data.shuffle(100)
    return data.batch(size).shuffle(10)


def by_an_expression(files, arrays, size):
    data = tf.data.TFRecordDataset(files) if files else tf.data.Dataset.from_tensor_slices(arrays)
    return data.batch(size).shuffle(100)  # expect: TL552


def from_somewhere(data, size):
    """Whether this is a dataset nobody sees."""
    return data.batch(size).shuffle(100)


def from_somewhere_told(data, size):
    return data.batch(size).shuffle(100, reshuffle_each_iteration=True)  # expect: TL552


def from_somewhere_with_autotune(data, size, parse):
    data = data.batch(size).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return data.shuffle(100)  # expect: TL552


def from_somewhere_with_another(data, size, parse):
    """An option that others have, too."""
    return data.batch(size).map(parse, num_workers=tf.config.threading).shuffle(100)


def of_a_split(size):
    splits = tfds.load("mnist")
    return splits["train"].batch(size).shuffle(100)  # expect: TL552


def of_a_pair(size):
    train, test = tfds.load("mnist", split=["train", "test"])
    return train.batch(size).shuffle(100), test.batch(size)  # expect: TL552


def made(files):
    return tf.data.TFRecordDataset(files)


def made_and_shuffled(files):
    return tf.data.TFRecordDataset(files).shuffle(100)


def by_helper(files, size):
    return made(files).batch(size).shuffle(100)  # expect: TL552


def by_shuffling_helper(files, size):
    return made_and_shuffled(files).batch(size).shuffle(100)


def read(name, size):
    """Another dataset reads these: it may shuffle again."""
    return tf.data.TFRecordDataset(name).batch(size).shuffle(100)


def interleaved(pattern, size):
    return tf.data.Dataset.list_files(pattern).interleave(lambda name: read(name, size))


def read_alone(name):
    return tf.data.TFRecordDataset(name).batch(8).shuffle(100)


def interleaved_by_name(pattern):
    return tf.data.Dataset.list_files(pattern).interleave(read_alone)


def noisy(x):
    return x + tf.random.normal(())


def seeded(x):
    return x + tf.random.stateless_normal((), seed=(1, 2))


def clean(x):
    return x / 255


def outer(x):
    return noisy(x)


def turning(x, depth=0):
    """It calls itself."""
    return x if depth > 3 else turning(x, depth + 1)


def scaled(x, factor):
    return x * factor * tf.random.uniform(())


def draws_kept(files):
    return tf.data.TFRecordDataset(files).map(noisy).cache().shuffle(100)  # expect: TL552


def draws_by_keyword(files):
    return tf.data.TFRecordDataset(files).map(map_func=noisy).cache().shuffle(100)  # expect: TL552


def nothing_drawn_by_keyword(files):
    return tf.data.TFRecordDataset(files).map(map_func=clean, num_parallel_calls=4).cache().shuffle(100)


def draws_by_option_first(files):
    data = tf.data.TFRecordDataset(files).map(num_parallel_calls=4, map_func=noisy)
    return data.cache().shuffle(100)  # expect: TL552


def draws_seeded(files):
    return tf.data.TFRecordDataset(files).map(seeded).cache().shuffle(100)


def draws_nothing(files):
    return tf.data.TFRecordDataset(files).map(clean).cache().shuffle(100)


def draws_deep(files):
    return tf.data.TFRecordDataset(files).map(outer).cache().shuffle(100)  # expect: TL552


def draws_never(files):
    return tf.data.TFRecordDataset(files).map(turning).cache().shuffle(100)


def draws_by_partial(files):
    return tf.data.TFRecordDataset(files).map(partial(scaled, factor=2)).cache().shuffle(100)  # expect: TL552


def draws_by_lambda(files):
    return tf.data.TFRecordDataset(files).map(lambda x: noisy(x)).cache().shuffle(100)  # expect: TL552


def draws_behind(files):
    return tf.data.TFRecordDataset(files).cache().map(noisy).shuffle(100)


def draws_of_few(files):
    return tf.data.TFRecordDataset(files).map(noisy).take(8).cache().repeat()


def draws_for_one_pass(files):
    """Nothing shuffles or repeats: an evaluation, perhaps."""
    return tf.data.TFRecordDataset(files).map(noisy).cache()


def draws_kept_if_wanted(files, cache):
    data = tf.data.TFRecordDataset(files).map(noisy)
    if cache:
        data = data.cache()  # expect: TL552
    return data.shuffle(100)


def draws_kept_in_one_mode(files, training):
    """Under another test it may be for an evaluation."""
    data = tf.data.TFRecordDataset(files).map(noisy)
    if not training:
        data = data.cache()
    return data.shuffle(100)
