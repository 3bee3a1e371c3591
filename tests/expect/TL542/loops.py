"""Loops of one's own around models of Keras, with and without a word on the mode."""
# Modelled on dmlc/dgl (gcn), NVIDIA/DeepLearningExamples (UNet_Medical), dragen1860/TensorFlow-2.x-Tutorials and magenta/ddsp.

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers, models


class Block(keras.Model):
    def __init__(self, width):
        super().__init__()
        self.model = models.Sequential([layers.Conv2D(width, 3), layers.BatchNormalization(), layers.ReLU()])

    def call(self, x, training=None):
        return self.model(x, training=training)


class Inception(keras.Model):
    def __init__(self, depth):
        super().__init__()
        self.first = Block(8)
        self.blocks = models.Sequential(name="blocks")
        for index in range(depth):
            self.blocks.add(Block(8 * 2**index))

    def call(self, x, training=None):
        return self.blocks(self.first(x, training=training), training=training)


class Trainer:
    def __init__(self, depth):
        self.model = Inception(depth)
        self.optimizer = keras.optimizers.Adam()

    def losses(self, images, labels):
        return tf.nn.softmax_cross_entropy_with_logits(labels, self.model(images))  # expect: TL542

    @tf.function
    def step(self, images, labels):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self.losses(images, labels))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))


class Autoencoder(keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = keras.Sequential([layers.Dense(64), layers.Dropout(0.2), layers.Dense(8)])
        self.decoder = keras.Sequential([layers.Dense(64), layers.Dense(784)])
        self.judge = keras.Sequential([layers.Dense(64), layers.BatchNormalization()])
        self.judge.trainable = False

    def train_step(self, data):
        with tf.GradientTape() as tape:
            coded = self.encoder(data)  # expect: TL542
            loss = tf.reduce_mean((self.judge(self.decoder(coded)) - self.judge(data)) ** 2)
        gradients = tape.gradient(loss, self.trainable_weights)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_weights))
        return {"loss": loss}


class Always(layers.Layer):
    """Drops in both modes: to know how sure the model is."""

    def __init__(self, rate):
        super().__init__()
        self.dropout = layers.Dropout(rate)

    def call(self, x):
        return self.dropout(x, training=True)


def functional(shape, rate=0.1):
    inputs = keras.Input(shape)
    hidden = inputs
    for width in (32, 64):
        hidden = layers.Dense(width)(hidden)
        hidden = layers.Dropout(rate)(hidden)
    return keras.Model(inputs, layers.Dense(1)(hidden))


def sure(shape):
    inputs = keras.Input(shape)
    return keras.Model(inputs, Always(0.1)(layers.Dropout(0.1)(inputs, training=True)))


def fit(batches, shape, loss_fn, path):
    model, certain, loaded = functional(shape), sure(shape), keras.models.load_model(path)
    optimizer = keras.optimizers.SGD(0.1)
    for x, y in batches:
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x)) + loss_fn(y, certain(x)) + loss_fn(y, loaded(x))  # expect: TL542
        weights = model.trainable_weights + certain.trainable_weights + loaded.trainable_weights
        optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))


def like_an_attack(x, shape, loss_fn, y, step):
    model = functional(shape)
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = loss_fn(y, model(x))
    return x + step * tf.sign(tape.gradient(loss, x))


def meant(batches, shape, loss_fn, flags):
    model, optimizer = functional(shape), keras.optimizers.SGD(0.1)
    for x, y in batches:
        with tf.GradientTape() as tape:
            loss = (
                loss_fn(y, model(x, flags.training)) + loss_fn(y, model(x, **flags.more)) + loss_fn(y, model(x, training=False))
            )
        weights = model.trainable_weights
        optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))


class Score(tf.test.TestCase):
    def test_step(self):
        model, optimizer = functional((4,)), keras.optimizers.SGD(0.1)

        def step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(model(x))
            optimizer.apply_gradients(zip(tape.gradient(loss, model.weights), model.weights))
            return loss

        self.assertLess(step(tf.ones((2, 4))), step(tf.ones((2, 4))))
