"""What a model computes last, and the loss that it is trained with, in all the ways to write both."""

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.keras.losses import sparse_categorical_crossentropy


def no_activation(data):
    model = keras.Sequential([layers.Dense(10)])
    model.compile("adam", loss="sparse_categorical_crossentropy")  # expect: TL549
    model.fit(data)


def linear(data):
    model = keras.Sequential([layers.Dense(10, activation="linear")])
    model.compile("adam", loss="sparse_categorical_crossentropy")  # expect: TL549
    model.fit(data)


def none(data):
    model = keras.Sequential([layers.Dense(10, activation=None)])
    model.compile("adam", loss="sparse_categorical_crossentropy")  # expect: TL549
    model.fit(data)


def softmax(data):
    model = keras.Sequential([layers.Dense(10, activation="softmax")])
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(data)


def softmax_by_position(data):
    model = keras.Sequential([layers.Dense(10, "softmax")])
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(data)


def softmax_by_function(data):
    model = keras.Sequential([layers.Dense(10, activation=tf.nn.softmax)])
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(data)


def relu(data):
    """An output that is cut off below is no raw one; what it is for nobody knows."""
    model = keras.Sequential([layers.Dense(10, activation="relu")])
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(data)


def activation_layer(data):
    model = keras.Sequential([layers.Dense(10), layers.Activation("softmax")])
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(data)


def softmax_layer(data):
    model = keras.Sequential([layers.Dense(10), layers.Softmax()])
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(data)


def linear_layer(data):
    """A layer that changes nothing, behind one in sight."""
    inputs = keras.Input((3,))
    model = keras.Model(inputs, layers.Activation("linear")(layers.Dense(10)(inputs)))
    model.compile("adam", loss="sparse_categorical_crossentropy")  # expect: TL549
    model.fit(data)


def linear_layer_behind_softmax(data):
    inputs = keras.Input((3,))
    model = keras.Model(inputs, layers.Activation("linear", dtype="float32")(layers.Dense(10, activation="softmax")(inputs)))
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(data)


def linear_layer_behind_unknown(data, body):
    inputs = keras.Input((3,))
    model = keras.Model(inputs, layers.Activation("linear")(body(inputs)))
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(data)


def rearranged(data):
    model = keras.Sequential([layers.Dense(10), layers.Reshape((2, 5))])
    model.compile("adam", loss="sparse_categorical_crossentropy")  # expect: TL549
    model.fit(data)


def rearranged_softmax(data):
    model = keras.Sequential([layers.Dense(10, activation="softmax"), layers.Reshape((2, 5))])
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(data)


def rearranged_only(data):
    model = keras.Sequential([layers.Flatten(), layers.Reshape((2, 5))])
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(data)


def rearranged_functional(data):
    inputs = keras.Input((3,))
    model = keras.Model(inputs, layers.Flatten()(layers.Dense(10)(inputs)))
    model.compile("adam", loss="sparse_categorical_crossentropy")  # expect: TL549
    model.fit(data)


def of_a_dict(data):
    inputs = keras.Input((3,))
    model = keras.Model(inputs, {"classes": layers.Dense(10)(inputs)})
    model.compile("adam", loss="sparse_categorical_crossentropy")  # expect: TL549
    model.fit(data)


def of_a_choice(data, squash):
    inputs = keras.Input((3,))
    outputs = layers.Dense(10)(inputs) if squash else layers.Dense(10, activation="softmax")(inputs)
    model = keras.Model(inputs, outputs)
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(data)


def head_of(x):
    return layers.Dense(10)(x)


def squashed_head_of(x):
    return layers.Dense(10, activation="softmax")(x)


def heads_of(x):
    yield layers.Dense(10)(x)


def by_helper(data):
    inputs = keras.Input((3,))
    model = keras.Model(inputs, head_of(inputs))
    model.compile("adam", loss="sparse_categorical_crossentropy")  # expect: TL549
    model.fit(data)


def by_squashing_helper(data):
    inputs = keras.Input((3,))
    model = keras.Model(inputs, squashed_head_of(inputs))
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(data)


def by_generator(data):
    inputs = keras.Input((3,))
    model = keras.Model(inputs, next(heads_of(inputs)))
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(data)


def of_another_model(data):
    body = keras.Sequential([layers.Dense(10)])
    inputs = keras.Input((3,))
    model = keras.Model(inputs, body(inputs))
    model.compile("adam", loss="sparse_categorical_crossentropy")  # expect: TL549
    model.fit(data)


def of_nothing(data):
    model = keras.Sequential([])
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(data)


def squashed_by_library(data):
    inputs = keras.Input((3,))
    model = keras.Model(inputs, tf.nn.softmax(layers.Dense(10)(inputs)))
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(data)


def squashed_by_other_library(data, vendor):
    inputs = keras.Input((3,))
    model = keras.Model(inputs, vendor.squash(layers.Dense(10)(inputs)))
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(data)


def dropped_last(data):
    """Nobody ends a model like that; what it computes is not judged."""
    model = keras.Sequential([layers.Dense(10), layers.Embedding(3, 3)])
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(data)


def convolution(data):
    model = keras.Sequential([layers.Conv2D(10, 3)])
    model.compile("adam", loss="sparse_categorical_crossentropy")  # expect: TL549
    model.fit(data)


def convolution_by_position(data):
    """So many arguments by position: the activation may be among them."""
    model = keras.Sequential([layers.Conv2D(10, 3, 1, "same", None, 1, 1, "softmax")])
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(data)


def options_spread(data, options):
    model = keras.Sequential([layers.Dense(10, **options)])
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(data)


def chosen_activation(data, binary):
    model = keras.Sequential([layers.Dense(10, activation="sigmoid" if binary else None)])
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(data)


def loss_object(data):
    model = keras.Sequential([layers.Dense(10)])
    model.compile("adam", loss=keras.losses.SparseCategoricalCrossentropy())  # expect: TL549
    model.fit(data)


def loss_object_told(data):
    model = keras.Sequential([layers.Dense(10)])
    model.compile("adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(data)


def loss_object_told_by_position(data):
    model = keras.Sequential([layers.Dense(10)])
    model.compile("adam", loss=keras.losses.SparseCategoricalCrossentropy(True))
    model.fit(data)


def loss_object_told_not(data):
    model = keras.Sequential([layers.Dense(10)])
    model.compile("adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=False))  # expect: TL549
    model.fit(data)


def loss_object_with_options(data, options):
    model = keras.Sequential([layers.Dense(10)])
    model.compile("adam", loss=keras.losses.SparseCategoricalCrossentropy(**options))
    model.fit(data)


def loss_object_told_by_setting(data, logits):
    model = keras.Sequential([layers.Dense(10)])
    model.compile("adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=logits))
    model.fit(data)


def loss_function(data):
    model = keras.Sequential([layers.Dense(10)])
    model.compile("adam", loss=sparse_categorical_crossentropy)  # expect: TL549
    model.fit(data)


def other_function(data):
    model = keras.Sequential([layers.Dense(10)])
    model.compile("adam", loss=keras.losses.mean_squared_error)
    model.fit(data)


def other_object(data):
    model = keras.Sequential([layers.Dense(10)])
    model.compile("adam", loss=keras.losses.MeanSquaredError())
    model.fit(data)


def chosen_loss(data, binary):
    model = keras.Sequential([layers.Dense(10)])
    model.compile("adam", loss="binary_crossentropy" if binary else "sparse_categorical_crossentropy")
    model.fit(data)


def own_loss(data):
    def loss(labels, predicted):
        return sparse_categorical_crossentropy(labels, tf.nn.softmax(predicted))

    model = keras.Sequential([layers.Dense(10)])
    model.compile("adam", loss=loss)
    model.fit(data)


def compiled_elsewhere(data, registry):
    """A function of a module, not a method of a model."""
    registry.compile("adam", loss="sparse_categorical_crossentropy")
    registry.fit(data)


class OwnStep(keras.Model):
    def __init__(self):
        super().__init__()
        self.head = layers.Dense(10)

    def call(self, x):
        return self.head(x)

    def train_step(self, data):
        x, y = data
        return {"loss": self.compiled_loss(y, tf.nn.softmax(self(x)))}


class OwnCompile(keras.Model):
    def __init__(self):
        super().__init__()
        self.head = layers.Dense(10)

    def call(self, x):
        return self.head(x)

    def compile(self, optimizer, loss):
        super().compile(optimizer)
        self.wanted = loss


class Plain(keras.Model):
    def __init__(self):
        super().__init__()
        self.head = layers.Dense(10)

    def call(self, x):
        return self.head(x)


class Squashed(Plain):
    def call(self, x):
        return tf.nn.softmax(self.head(x))


class Twofold(Plain):
    def call(self, x, probabilities=False):
        x = self.head(x)
        if probabilities:
            return tf.nn.softmax(x)
        return x


def own_models(data):
    first, second, third = OwnStep(), OwnCompile(), Plain()
    first.compile("adam", loss="sparse_categorical_crossentropy")
    second.compile("adam", loss="sparse_categorical_crossentropy")
    third.compile("adam", loss="sparse_categorical_crossentropy")  # expect: TL549
    squashed, twofold = Squashed(), Twofold()
    squashed.compile("adam", loss="sparse_categorical_crossentropy")
    twofold.compile("adam", loss="sparse_categorical_crossentropy")
    return [each.fit(data) for each in (first, second, third, squashed, twofold)]


def two_outputs(data):
    inputs = keras.Input((3,))
    model = keras.Model(inputs, [layers.Dense(10)(inputs), layers.Dense(3)(inputs)])
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(data)


def outputs_by_keyword(data):
    inputs = keras.Input((3,))
    model = keras.Model(inputs=inputs, outputs=layers.Dense(10)(inputs))
    model.compile("adam", loss="sparse_categorical_crossentropy")  # expect: TL549
    model.fit(data)


def added(data):
    model = keras.Sequential()
    model.add(layers.Dense(32, activation="relu"))
    model.add(layers.Dense(10))
    model.compile("adam", loss="sparse_categorical_crossentropy")  # expect: TL549
    model.fit(data)


def added_softmax(data):
    model = keras.Sequential()
    model.add(layers.Dense(10))
    model.add(layers.Softmax())
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(data)


def added_behind_list(data):
    model = keras.Sequential([layers.Dense(32, activation="softmax")])
    model.add(layers.Dense(10))
    model.compile("adam", loss="sparse_categorical_crossentropy")  # expect: TL549
    model.fit(data)


def added_perhaps(data, squash):
    model = keras.Sequential()
    model.add(layers.Dense(10))
    if squash:
        model.add(layers.Softmax())
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(data)


def layers_of_a_setting(data, hidden):
    model = keras.Sequential([layers.Dense(size) for size in hidden])
    model.compile("adam", loss="sparse_categorical_crossentropy")
    model.fit(data)


def by_hand(images, labels):
    model = keras.Sequential([layers.Dense(10)])
    loss_fn = keras.losses.SparseCategoricalCrossentropy()  # expect: TL549
    return loss_fn(labels, model(images, training=True))


def by_hand_by_keyword(images, labels):
    model = keras.Sequential([layers.Dense(10)])
    loss_fn = keras.losses.SparseCategoricalCrossentropy()  # expect: TL549
    return loss_fn(y_true=labels, y_pred=model(images, training=True))


def by_hand_with_softmax(images, labels):
    model = keras.Sequential([layers.Dense(10)])
    loss_fn = keras.losses.SparseCategoricalCrossentropy()
    return loss_fn(labels, tf.nn.softmax(model(images, training=True)))


def by_hand_by_function(images, labels):
    model = keras.Sequential([layers.Dense(10)])
    return sparse_categorical_crossentropy(labels, model(images, training=True))  # expect: TL549


def by_hand_by_function_told(images, labels):
    model = keras.Sequential([layers.Dense(10)])
    return sparse_categorical_crossentropy(labels, model(images, training=True), True)


def with_logits(images, labels):
    model = keras.Sequential([layers.Dense(10)])
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels, model(images, training=True))


def with_logits_of_softmax(images, labels):
    model = keras.Sequential([layers.Dense(10, activation="softmax")])
    logits = model(images, training=True)
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)  # expect: TL549


def with_logits_of_sigmoid(images, labels):
    """Another function than the one that is applied: several classes, each by itself, and then one of them."""
    model = keras.Sequential([layers.Dense(10, activation="sigmoid")])
    logits = model(images, training=True)
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)


def of_another_loss(images, labels):
    """A name that is like a loss's, and is none."""
    model = keras.Sequential([layers.Dense(10)])
    loss_scale = tf.constant
    return loss_scale(labels, model(images, training=True))


def of_chosen_model(images, labels, deep):
    first = keras.Sequential([layers.Dense(10)])
    second = keras.Sequential([layers.Dense(10, activation="softmax")])
    model = first if deep else second
    loss_fn = keras.losses.SparseCategoricalCrossentropy()
    return loss_fn(labels, model(images, training=True))
