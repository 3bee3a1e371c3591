"""The last batch of a dataset under a strategy of TPUs: where it may be short, and where it is not."""

import tensorflow as tf

SIZE = 128


def build():
    return tf.keras.Sequential([tf.keras.layers.Dense(3)])


def pad_batch(batch):
    return tf.pad(batch, [[0, 3], [0, 0]])


def double(batch):
    return batch * 2


def strategy_of(address):
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver(address)
    return tf.distribute.TPUStrategy(resolver)


def plain(address, files, size):
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).shuffle(1000).batch(size))  # expect: TL546


def dropped(address, files, size):
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).shuffle(1000).batch(size, drop_remainder=True))


def dropped_by_position(address, files, size):
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).shuffle(1000).batch(size, True))


def kept_by_position(address, files, size):
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).shuffle(1000).batch(size, False))  # expect: TL546


def dropped_by_setting(address, files, size, drop):
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).shuffle(1000).batch(size, drop_remainder=drop))


def dropped_by_options(address, files, size, options):
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).shuffle(1000).batch(size, **options))


def size_by_keyword(address, files):
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).shuffle(1000).batch(batch_size=SIZE))  # expect: TL546


def one_at_a_time(address, files):
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).shuffle(1000).batch(1))


def two_at_a_time(address, files):
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).shuffle(1000).batch(2))  # expect: TL546


def taken(address, files, size):
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).take(1024).batch(size))


def taken_behind(address, files, size):
    """So many batches: the last one of the data may be among them."""
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).shuffle(1000).batch(size).take(100))  # expect: TL546


def repeated(address, files, size):
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).repeat().batch(size))


def repeated_a_few_times(address, files, size):
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).repeat(3).batch(size))  # expect: TL546


def repeated_by_minus_one(address, files, size):
    """That is without end."""
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).repeat(-1).batch(size))


def repeated_by_none(address, files, size):
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).repeat(None).batch(size))


def repeated_for_epochs(address, files, size, num_epochs):
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).repeat(num_epochs).batch(size))  # expect: TL546


def repeated_for_epochs_of_flags(address, files, size, flags):
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).repeat(count=flags.epochs).batch(size))  # expect: TL546


def repeated_by_setting(address, files, size, times):
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).repeat(times).batch(size))


def repeated_by_sum(address, files, size, epochs):
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).repeat(epochs + 1).batch(size))  # expect: TL546


def repeated_behind(address, files, size):
    """Each pass over the data ends with a short batch."""
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).shuffle(100).batch(size).repeat(), steps_per_epoch=100)  # expect: TL546


def limited(address, files, size):
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).shuffle(100).batch(size), steps_per_epoch=100)


def filled_up(address, files, size):
    with strategy_of(address).scope():
        model = build()
    data = tf.data.TFRecordDataset(files)
    model.fit(data.concatenate(data.repeat()).batch(size))


def with_more_data(address, files, others, size):
    with strategy_of(address).scope():
        model = build()
    data = tf.data.TFRecordDataset(files).concatenate(tf.data.TFRecordDataset(others))
    model.fit(data.batch(size))  # expect: TL546


def with_more_from_somewhere(address, files, others, size):
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).concatenate(others).batch(size))


def padded(address, files, size):
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).shuffle(100).batch(size).map(pad_batch))


def doubled(address, files, size):
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).shuffle(100).batch(size).map(double))  # expect: TL546


def mapped_by_somebody(address, files, size, transform):
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).shuffle(100).batch(size).map(transform))  # expect: TL546


def unbatched(address, files, size):
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).batch(64).unbatch().batch(size))


def batched_twice(address, files, size):
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).batch(8).batch(size))


def of_keras(address, folder):
    """Keras makes the batches."""
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.keras.utils.image_dataset_from_directory(folder))


def of_keras_batched(address, folder, size):
    with strategy_of(address).scope():
        model = build()
    model.fit(tf.keras.utils.image_dataset_from_directory(folder, batch_size=None).batch(size))


def by_keyword(address, files, size):
    with strategy_of(address).scope():
        model = build()
    model.fit(x=tf.data.TFRecordDataset(files).shuffle(100).batch(size), epochs=3)  # expect: TL546


def without_data(address):
    with strategy_of(address).scope():
        model = build()
    model.fit(epochs=3)


def on_gpus(files, size):
    with tf.distribute.MirroredStrategy().scope():
        model = build()
    model.fit(tf.data.TFRecordDataset(files).shuffle(100).batch(size))


def divided(address, files, size, step):
    strategy = strategy_of(address)
    data = strategy.experimental_distribute_dataset(tf.data.TFRecordDataset(files).shuffle(100).batch(size))  # expect: TL546
    for batch in data:
        strategy.run(step, args=(batch,))


def divided_without_training(address, files, size, step):
    """Nothing shuffles or repeats: an evaluation has to see all."""
    strategy = strategy_of(address)
    data = strategy.experimental_distribute_dataset(tf.data.TFRecordDataset(files).batch(size))
    for batch in data:
        strategy.run(step, args=(batch,))


def divided_by_steps(address, files, size, step):
    """So many batches are asked for: the last ones may never come."""
    strategy = strategy_of(address)
    data = iter(strategy.experimental_distribute_dataset(tf.data.TFRecordDataset(files).shuffle(100).batch(size)))
    for _ in range(100):
        strategy.run(step, args=(next(data),))


def divided_by_function(address, files, size, step):
    strategy = strategy_of(address)

    def make(context):
        return tf.data.TFRecordDataset(files).shuffle(100).batch(size)  # expect: TL546

    for batch in strategy.distribute_datasets_from_function(make):
        strategy.run(step, args=(batch,))


def divided_by_somebodys_function(address, make, step):
    strategy = strategy_of(address)
    for batch in strategy.distribute_datasets_from_function(make):
        strategy.run(step, args=(batch,))


def divided_on_gpus(files, size, step):
    strategy = tf.distribute.MirroredStrategy()
    data = strategy.experimental_distribute_dataset(tf.data.TFRecordDataset(files).shuffle(100).batch(size))
    for batch in data:
        strategy.run(step, args=(batch,))
