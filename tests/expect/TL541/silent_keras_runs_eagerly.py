"""A model that is told to run eagerly is not traced."""

import keras
import tensorflow as tf


class Net(keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(x, training=True) - y))
        print("loss", loss)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply(gradients, self.trainable_variables)
        return {"loss": loss}


model = Net()
model.compile(optimizer="adam", run_eagerly=True)
