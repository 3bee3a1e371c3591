"""Last layers of models in float16: what they are told, what trains them, and who casts what they make."""

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.mixed_precision.set_global_policy("mixed_float16")

PLAIN = None
WIDE = "float32"


def dense(data):
    model = keras.Sequential([layers.Dense(8), layers.Dense(1)])  # expect: TL544
    model.compile("adam", loss="mse")
    model.fit(data)


def told(data):
    model = keras.Sequential([layers.Dense(8), layers.Dense(1, dtype="float32")])
    model.compile("adam", loss="mse")
    model.fit(data)


def told_by_constant(data):
    model = keras.Sequential([layers.Dense(8), layers.Dense(1, dtype=WIDE)])
    model.compile("adam", loss="mse")
    model.fit(data)


def told_nothing(data):
    model = keras.Sequential([layers.Dense(8), layers.Dense(1, dtype=None)])  # expect: TL544
    model.compile("adam", loss="mse")
    model.fit(data)


def told_nothing_by_constant(data):
    model = keras.Sequential([layers.Dense(8), layers.Dense(1, dtype=PLAIN)])  # expect: TL544
    model.compile("adam", loss="mse")
    model.fit(data)


def told_by_setting(data, dtype):
    model = keras.Sequential([layers.Dense(8), layers.Dense(1, dtype=dtype)])
    model.compile("adam", loss="mse")
    model.fit(data)


def told_by_options(data, options):
    model = keras.Sequential([layers.Dense(8), layers.Dense(1, **options)])
    model.compile("adam", loss="mse")
    model.fit(data)


def activated(data):
    model = keras.Sequential([layers.Dense(8), layers.Activation("softmax")])  # expect: TL544
    model.compile("adam", loss="mse")
    model.fit(data)


def activated_and_told(data):
    model = keras.Sequential([layers.Dense(8), layers.Activation("softmax", dtype="float32")])
    model.compile("adam", loss="mse")
    model.fit(data)


def embedded(data):
    """No layer that people end a model with: its numbers are looked up."""
    model = keras.Sequential([layers.Embedding(8, 3)])
    model.compile("adam", loss="mse")
    model.fit(data)


def computed(data):
    inputs = keras.Input((3,))
    model = keras.Model(inputs, tf.nn.softmax(layers.Dense(3)(inputs)))
    model.compile("adam", loss="mse")
    model.fit(data)


def never_trained(data):
    model = keras.Sequential([layers.Dense(8), layers.Dense(1)])
    return model.predict(data)


def by_batches(data):
    model = keras.Sequential([layers.Dense(8), layers.Dense(1)])  # expect: TL544
    model.compile("adam", loss="mse")
    for x, y in data:
        model.train_on_batch(x, y)


def of_somebody(model, data):
    model.compile("adam", loss="mse")
    model.fit(data)


def by_tape(images, labels, optimizer):
    model = keras.Sequential([layers.Dense(8), layers.Dense(1)])  # expect: TL544
    with tf.GradientTape() as tape:
        loss = optimizer.scale_loss(tf.reduce_mean((model(images, training=True) - labels) ** 2))
    gradients = tape.gradient(loss, model.trainable_weights)
    optimizer.apply_gradients(zip(gradients, model.trainable_weights))


def by_tape_and_cast(images, labels, optimizer):
    model = keras.Sequential([layers.Dense(8), layers.Dense(1)])
    with tf.GradientTape() as tape:
        predicted = tf.cast(model(images, training=True), tf.float32)
        loss = optimizer.scale_loss(tf.reduce_mean((predicted - labels) ** 2))
    gradients = tape.gradient(loss, model.trainable_weights)
    optimizer.apply_gradients(zip(gradients, model.trainable_weights))


def by_tape_without_training(images, labels):
    model = keras.Sequential([layers.Dense(8), layers.Dense(1)])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - labels) ** 2)
    return tape.gradient(loss, model.trainable_weights)


class Casting(keras.Model):
    def __init__(self):
        super().__init__()
        self.head = layers.Dense(1)

    def call(self, x):
        return self.head(x)

    def train_step(self, data):
        x, y = data
        loss = tf.reduce_mean((tf.cast(self(x, training=True), tf.float32) - y) ** 2)
        self.optimizer.minimize(loss, self.trainable_weights)
        return {"loss": loss}


class Plain(keras.Model):
    def __init__(self):
        super().__init__()
        self.head = layers.Dense(1)  # expect: TL544

    def call(self, x):
        return self.head(x)


def of_classes(data):
    first, second = Casting(), Plain()
    first.compile("adam", loss="mse")
    first.fit(data)
    second.compile("adam", loss="mse")
    second.fit(data)


def kept_for_bfloat16(policy, data):
    half = layers.Softmax(dtype="float32" if policy == "mixed_bfloat16" else None)  # expect: TL544
    return half(data)


def kept_for_float16(policy, data):
    half = layers.Softmax(dtype="float32" if policy == "mixed_float16" else None)
    return half(data)


def kept_for_all_but_one(policy, data):
    half = layers.Softmax(dtype="float32" if policy != "mixed_bfloat16" else None)
    return half(data)


def kept_for_both(policy, data):
    half = layers.Softmax(dtype="float32" if policy == "mixed_bfloat16" else "float32")
    return half(data)
