"""Models with and without layers that have modes, and how their calls are told the mode."""

from functools import partial

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

NormLayer = partial(layers.BatchNormalization, momentum=0.9)


def train(model, optimizer, images, labels):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images, training=True) - labels) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def dropout(images, labels, optimizer):
    model = keras.Sequential([layers.Dense(3), layers.Dropout(0.5)])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)  # expect: TL542
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def dropout_told(images, labels, optimizer):
    model = keras.Sequential([layers.Dense(3), layers.Dropout(0.5)])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images, training=True) - labels) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def dropout_told_by_position(images, labels, optimizer):
    model = keras.Sequential([layers.Dense(3), layers.Dropout(0.5)])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images, True) - labels) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def dropout_of_nothing(images, labels, optimizer):
    model = keras.Sequential([layers.Dense(3), layers.Dropout(0.0)])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def dropout_by_keyword(images, labels, optimizer):
    model = keras.Sequential([layers.Dense(3), layers.Dropout(rate=0.5)])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)  # expect: TL542
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def dropout_of_nothing_by_keyword(images, labels, optimizer):
    model = keras.Sequential([layers.Dense(3), layers.Dropout(rate=0)])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def noise(images, labels, optimizer):
    model = keras.Sequential([layers.Dense(3), layers.GaussianNoise(stddev=0.1)])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)  # expect: TL542
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def no_modes(images, labels, optimizer):
    model = keras.Sequential([layers.Dense(3), layers.LayerNormalization()])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def recurrent(images, labels, optimizer):
    model = keras.Sequential([layers.LSTM(3)])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def recurrent_with_dropout(images, labels, optimizer):
    model = keras.Sequential([layers.LSTM(3, dropout=0.2)])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)  # expect: TL542
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def recurrent_with_no_dropout(images, labels, optimizer):
    model = keras.Sequential([layers.LSTM(3, dropout=0.0)])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def by_partial(images, labels, optimizer):
    model = keras.Sequential([layers.Dense(3), NormLayer()])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)  # expect: TL542
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def block(width):
    return keras.Sequential([layers.Dense(width), layers.BatchNormalization()])


def plain_block(width):
    return keras.Sequential([layers.Dense(width)])


def of_blocks(images, labels, optimizer):
    model = keras.Sequential([block(8), layers.Dense(3)])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)  # expect: TL542
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def of_plain_blocks(images, labels, optimizer):
    model = keras.Sequential([plain_block(8), layers.Dense(3)])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def added(images, labels, optimizer):
    model = keras.Sequential()
    model.add(layers.Dense(3))
    model.add(layers.BatchNormalization())
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)  # expect: TL542
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def functional(images, labels, optimizer):
    inputs = keras.Input((3,))
    hidden = layers.Dropout(0.5)(layers.Dense(3)(inputs))
    model = keras.Model(inputs=inputs, outputs=layers.Dense(3)(hidden))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)  # expect: TL542
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def functional_told_inside(images, labels, optimizer):
    """The layer is told its mode where the model is made: it drops always."""
    inputs = keras.Input((3,))
    hidden = layers.Dropout(0.5)(layers.Dense(3)(inputs), training=True)
    model = keras.Model(inputs=inputs, outputs=layers.Dense(3)(hidden))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def normalised(x):
    return layers.BatchNormalization()(layers.Dense(3)(x))


def functional_by_function(images, labels, optimizer):
    inputs = keras.Input((3,))
    model = keras.Model(inputs, normalised(inputs))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)  # expect: TL542
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def functional_in_rounds(images, labels, optimizer, depth):
    inputs = x = keras.Input((3,))
    for _ in range(depth):
        x = layers.Dropout(0.1)(layers.Dense(3)(x))
    model = keras.Model(inputs, layers.Dense(1)(x))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)  # expect: TL542
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


class Norms(keras.Model):
    def __init__(self):
        super().__init__()
        self.norm = layers.BatchNormalization()

    def call(self, x):
        return self.norm(x)


class NormsTold(Norms):
    """The layer is told by ``call`` itself."""

    def call(self, x):
        return self.norm(x, training=True)


class NormsByDefault(Norms):
    def call(self, x, training=True):
        return self.norm(x, training=training)


class NormsWithout(Norms):
    def call(self, x, training=False):
        return self.norm(x, training=training)


class NormsThird(Norms):
    def call(self, x, mask, training=None):
        return self.norm(x, training=training)


class NormsInList(keras.Model):
    def __init__(self, depth):
        super().__init__()
        self.blocks = []
        for _ in range(depth):
            self.blocks.append(layers.BatchNormalization())

    def call(self, x):
        for each in self.blocks:
            x = each(x)
        return x


class NormsDeep(keras.Model):
    def __init__(self):
        super().__init__()
        self.inner = Norms()

    def call(self, x):
        return self.inner(x)


class PlainDeep(keras.Model):
    def __init__(self):
        super().__init__()
        self.inner = layers.Dense(3)

    def call(self, x):
        return self.inner(x)


class OwnCall(Norms):
    """It says itself what a call does."""

    def __call__(self, x):
        return super().__call__(x, training=True)


class NoModel:
    def __init__(self):
        self.norm = layers.BatchNormalization()
        self.trainable_weights = []

    def __call__(self, x):
        return self.norm(x, training=True)


def of_class(images, labels, optimizer):
    model = Norms()
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)  # expect: TL542
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def of_class_told(images, labels, optimizer):
    model = NormsTold()
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def of_class_by_default(images, labels, optimizer):
    model = NormsByDefault()
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def of_class_without(images, labels, optimizer):
    model = NormsWithout()
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)  # expect: TL542
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def of_class_with_mask(images, labels, optimizer):
    """The second argument is the mask."""
    model = NormsThird()
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images, labels) - labels) ** 2)  # expect: TL542
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def of_class_with_mask_told(images, labels, optimizer):
    model = NormsThird()
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images, labels, True) - labels) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def of_class_with_list(images, labels, optimizer):
    model = NormsInList(3)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)  # expect: TL542
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def of_deep_class(images, labels, optimizer):
    model = NormsDeep()
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)  # expect: TL542
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def of_plain_deep_class(images, labels, optimizer):
    model = PlainDeep()
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def of_own_call(images, labels, optimizer):
    model = OwnCall()
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def of_no_model(images, labels, optimizer):
    model = NoModel()
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


PROB = 0.0
RATE = 0.3


def dropout_by_constant(images, labels, optimizer):
    model = keras.Sequential([layers.Dense(3), layers.Dropout(RATE)])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)  # expect: TL542
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def dropout_by_constant_of_nothing(images, labels, optimizer):
    model = keras.Sequential([layers.Dense(3), layers.Dropout(PROB)])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def listed():
    return [layers.Dense(3), layers.BatchNormalization()]


LAYERS = [layers.Dense(3), layers.BatchNormalization()]
PLAIN_LAYERS = [layers.Dense(3)]


def of_list(images, labels, optimizer):
    model = keras.Sequential(LAYERS)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)  # expect: TL542
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def of_plain_list(images, labels, optimizer):
    model = keras.Sequential(PLAIN_LAYERS)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def over_a_body(images, labels, optimizer):
    body = keras.Sequential([layers.Dense(3), layers.BatchNormalization()])
    inputs = keras.Input((3,))
    model = keras.Model(inputs, layers.Dense(2)(body(inputs)))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)  # expect: TL542
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def over_a_plain_body(images, labels, optimizer):
    body = keras.Sequential([layers.Dense(3)])
    inputs = keras.Input((3,))
    model = keras.Model(inputs, layers.Dense(2)(body(inputs)))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


class DefaultInside(keras.Model):
    """The layer that it holds trains by default."""

    def __init__(self):
        super().__init__()
        self.inner = NormsByDefault()

    def call(self, x):
        return self.inner(x)


class HoldsForOthers(keras.Model):
    def __init__(self):
        super().__init__()
        self.inner = layers.Dense(3)

    def share(self, other):
        other.norm = layers.BatchNormalization()
        return other

    def call(self, x):
        return self.inner(x)


def of_class_that_shares(images, labels, optimizer):
    model = HoldsForOthers()
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


class InItsStep(keras.Model):
    def __init__(self):
        super().__init__()
        self.norm = layers.BatchNormalization()

    def call(self, x):
        return self.norm(x)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self(x) - y) ** 2)  # expect: TL542
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


class InItsStepTold(InItsStep):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self(x, training=True) - y) ** 2)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


def of_one_shot(images, labels, optimizer):
    """Its teacher is in inference on purpose: it is the other one that is trained."""
    teacher, student = Norms(), PlainDeep()
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((student(images) - teacher(images)) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, student.trainable_weights), student.trainable_weights))


def frozen_class(images, labels, optimizer):
    model = NormsDeepFrozen()
    model.trainable = False
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


class NormsDeepFrozen(keras.Model):
    def __init__(self):
        super().__init__()
        self.inner = Norms()

    def call(self, x):
        return self.inner(x)


def predicted(model, images):
    return model(images)  # expect: TL542


def predicted_later(model, images):
    yield model(images)


def by_helper(images, labels, optimizer):
    model = keras.Sequential([layers.Dense(3), layers.AlphaDropout(0.5)])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((predicted(model, images) - labels) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def by_generator(images, labels, optimizer):
    model = keras.Sequential([layers.Dense(3), layers.AlphaDropout(0.4)])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((next(predicted_later(model, images)) - labels) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def frozen(images, labels, optimizer):
    model = keras.Sequential([layers.Dense(3), layers.SpatialDropout1D(0.5)])
    model.trainable = False
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def trains_the_other(images, labels, optimizer):
    """The gradients are those of another model."""
    model = keras.Sequential([layers.Dense(3), layers.Dropout(0.5)])
    other = keras.Sequential([layers.Dense(3)])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((other(model(images)) - labels) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, other.trainable_weights), other.trainable_weights))


def without_tape(images):
    model = keras.Sequential([layers.Dense(3), layers.Dropout(0.5)])
    return model(images)


def handed_dropout(images, labels, optimizer, rate=0.0):
    """By default nothing is dropped."""
    model = keras.Sequential([layers.Dense(3), layers.Dropout(rate)])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)  # expect: TL542
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def handed_no_dropout(images, labels, optimizer, rate):
    model = keras.Sequential([layers.Dense(3), layers.Dropout(rate)])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_weights), model.trainable_weights))


def main(images, labels, optimizer):
    handed_dropout(images, labels, optimizer, 0.5)
    handed_no_dropout(images, labels, optimizer, 0.0)
