"""What losses take a model's output for, and what it is."""
# Modelled on danielegrattarola/spektral, tensorflow/docs (mixed_precision, ragged_tensor), dmlc/dgl and google/automl.

import tensorflow as tf
from tensorflow.keras.layers import Activation, Conv2D, Dense, Dropout, Flatten, Input, Reshape, Softmax
from tensorflow.keras.losses import BinaryCrossentropy, CategoricalCrossentropy, SparseCategoricalCrossentropy
from tensorflow.keras.models import Model, Sequential


class Net(Model):
    def __init__(self, labels):
        super().__init__()
        self.dense = Dense(labels)

    def call(self, inputs):
        x, mask = inputs
        return self.dense(x * mask)


model = Net(2)
model.compile(optimizer="adam", loss="categorical_crossentropy", metrics=["acc"])  # expect: TL549


class Trained(Net):
    def train_step(self, data):
        return {"loss": self.compute_loss(*data)}


other = Trained(2)
other.compile(optimizer="adam", loss="categorical_crossentropy")


def in_float32(classes, data):
    inputs = Input((784,))
    outputs = Activation("softmax", dtype="float32")(Dense(classes)(inputs))
    outputs = Activation("linear", dtype="float32")(outputs)
    net = Model(inputs, outputs)
    net.compile(loss="sparse_categorical_crossentropy", optimizer="sgd")
    return net.fit(data)


def still_raw(classes, data):
    inputs = Input((784,))
    outputs = Reshape((classes,))(Activation("linear", dtype="float32")(Dense(classes)(inputs)))
    net = Model(inputs, outputs)
    net.compile(loss="sparse_categorical_crossentropy", optimizer="sgd")  # expect: TL549
    return net.fit(data)


def two_outputs(data):
    inputs = Input((784,))
    net = Model(inputs, [Dense(1)(inputs), Dense(10, activation="softmax")(inputs)])
    net.compile(loss=["mse", "categorical_crossentropy"], optimizer="sgd")
    return net.fit(data)


def segments(data, binary):
    net = Sequential([Conv2D(8, 3, activation="relu"), Dropout(0.1)])
    net.add(Conv2D(1 if binary else 4, 1, activation="sigmoid" if binary else "softmax"))
    net.compile("sgd", loss="binary_crossentropy" if binary else "sparse_categorical_crossentropy")
    return net.fit(data)


def by_hand(data, labels):
    first, second = Sequential([Flatten(), Dense(2)]), Sequential([Flatten(), Dense(2), Softmax()])
    wrong, right = BinaryCrossentropy(), SparseCategoricalCrossentropy(from_logits=True)  # expect: TL549
    fits = CategoricalCrossentropy()
    loss = wrong(labels, first(data)) + right(labels, first(data)) + fits(labels, second(data))
    return loss + tf.nn.softmax_cross_entropy_with_logits(labels, second(data))  # expect: TL549
