"""Of two models one is told to run eagerly; the other one is traced."""

import keras
import tensorflow as tf


class Eager(keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(x, training=True) - y))
        print("loss", loss)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply(gradients, self.trainable_variables)
        return {"loss": loss}


class Traced(keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(self(x, training=True) - y))
        print("loss", loss)  # expect: TL541
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply(gradients, self.trainable_variables)
        return {"loss": loss}


def train(dataset):
    first = Eager()
    first.compile(optimizer="adam", run_eagerly=True)
    first.fit(dataset)
    second = Traced()
    second.compile(optimizer="adam")
    second.fit(dataset)
