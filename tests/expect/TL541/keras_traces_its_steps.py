"""Steps that Keras runs in a trace of its own: no `tf.function` is in sight."""

import keras
import tensorflow as tf


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(2)
        self.seen = []
        self.steps = 0

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(x, training=True) - y))
        self.seen.append(loss)  # expect: TL541
        print("loss", loss)  # expect: TL541
        self.steps += 1  # expect: TL541
        tf.print("loss", loss)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply(gradients, self.trainable_variables)
        return {"loss": loss}


class Report(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        print(batch, logs)
