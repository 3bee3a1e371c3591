"""Two epochs with Keras on TensorFlow, on the CPU."""

import keras
import numpy as np
import tensorflow as tf
from recorder import BATCHES, EPOCHS, EVALUATED, Recorder

recorder = Recorder()
recorder.is_traced = lambda: not tf.executing_eagerly()


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(2)

    def call(self, x, training=None):
        return self.dense(x)


def data(count):
    return np.random.rand(count * 4, 8).astype("float32"), np.random.randint(2, size=count * 4)


model = recorder.recorded(Net, "keras.Model")()
model.compile(optimizer="sgd", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
callback = recorder.recorded(keras.callbacks.Callback, "keras.callbacks.Callback")()
model.fit(*data(BATCHES), epochs=EPOCHS, batch_size=4, validation_data=data(EVALUATED), callbacks=[callback], verbose=0)
recorder.seen(keras.__version__)
