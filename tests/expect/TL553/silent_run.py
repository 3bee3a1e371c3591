"""Strategies that run the step, or models that train themselves."""

import tensorflow as tf


def run(build, dataset, loss_object):
    strategy = tf.distribute.MirroredStrategy()
    dataset = strategy.experimental_distribute_dataset(dataset)
    with strategy.scope():
        model = build()
        optimizer = tf.keras.optimizers.Adam()

    def step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_object(y, model(x, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    @tf.function
    def distributed_step(inputs):
        losses = strategy.run(step, args=inputs)
        return strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)

    for inputs in dataset:
        distributed_step(inputs)


class Model(tf.keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compute_loss(y=y, y_pred=self(x, training=True))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


def fits(dataset):
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = Model()
        model.compile(optimizer=tf.keras.optimizers.Adam())
    model.fit(dataset)


class Experiment:
    def __init__(self, build):
        self.strategy = tf.distribute.MirroredStrategy()
        with self.strategy.scope():
            self.model = build()
            self.optimizer = tf.keras.optimizers.Adam()

    def _step(self, batch):
        with tf.GradientTape() as tape:
            loss = self.model(batch, training=True)
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))

    def train(self, dataset):
        for batch in dataset:
            self.strategy.run(self._step, args=(batch,))


def handed_on(build, dataset, loop):
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = build()
        optimizer = tf.keras.optimizers.Adam()

    def step(batch):
        with tf.GradientTape() as tape:
            loss = model(batch, training=True)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))

    loop(strategy, step, dataset)


def on_one_device(build, dataset):
    strategy = tf.distribute.OneDeviceStrategy("/gpu:0")
    with strategy.scope():
        model = build()
        optimizer = tf.keras.optimizers.Adam()
    for batch in dataset:
        with tf.GradientTape() as tape:
            loss = model(batch, training=True)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
