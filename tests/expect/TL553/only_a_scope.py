"""Strategies that only open their scope: the loop beside them trains on one replica."""

import tensorflow as tf
from tensorflow.distribute import MirroredStrategy
from tensorflow.keras import optimizers


class Trainer:
    def __init__(self, build, lr):
        self.strategy = tf.distribute.MirroredStrategy()  # expect: TL553
        with self.strategy.scope():
            self.model = build()
            self.optimizer = tf.keras.optimizers.Adam(lr)
        self.loss = tf.keras.losses.MeanSquaredError()

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            value = self.loss(y, self.model(x, training=True))
        variables = self.model.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(value, variables), variables))
        return value

    def train(self, dataset, epochs):
        batch = 32 * self.strategy.num_replicas_in_sync
        for _ in range(epochs):
            for x, y in dataset.batch(batch):
                self.step(x, y)


def make(build):
    return build(), optimizers.SGD(0.1)


def in_one_function(build, dataset):
    strategy = MirroredStrategy(devices=["/gpu:0", "/gpu:1"])  # expect: TL553
    with strategy.scope():
        model, optimizer = make(build)
        for x, y in dataset:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
            gradients = tape.gradient(loss, model.trainable_weights)
            optimizer.apply_gradients(list(zip(gradients, model.trainable_weights)))


def choose(name):
    if name == "tpu":
        resolver = tf.distribute.cluster_resolver.TPUClusterResolver()
        tf.config.experimental_connect_to_cluster(resolver)
        tf.tpu.experimental.initialize_tpu_system(resolver)
        return tf.distribute.TPUStrategy(resolver)  # expect: TL553
    return tf.distribute.MultiWorkerMirroredStrategy()  # expect: TL553


def main(build, dataset, device):
    strategy = choose(device)
    print("replicas:", strategy.num_replicas_in_sync)
    scope = strategy.scope()
    with scope:
        model = build()
        optimizer = tf.keras.optimizers.AdamW(1e-4)
    train(model, optimizer, dataset)


def train(model, optimizer, dataset):
    for batch in dataset:
        update(model, optimizer, batch)


def update(model, optimizer, batch):
    with tf.GradientTape() as tape:
        loss = model(batch, training=True)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))


def divided_but_not_run(build, dataset):
    strategy = tf.distribute.MirroredStrategy()  # expect: TL553
    dataset = strategy.experimental_distribute_dataset(dataset)
    with strategy.scope():
        model = build()
        optimizer = tf.keras.optimizers.Adam()
    for batch in dataset:
        update(model, optimizer, batch)


def falls_back(build, dataset, several):
    strategy = tf.distribute.get_strategy()
    if several:
        strategy = tf.distribute.MirroredStrategy()  # expect: TL553
    print("replicas:", strategy.num_replicas_in_sync)
    with strategy.scope():
        model = build()
        optimizer = tf.keras.optimizers.Adam()
    for batch in dataset:
        update(model, optimizer, batch)
