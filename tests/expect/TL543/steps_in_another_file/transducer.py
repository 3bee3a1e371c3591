"""A Keras model with a step of its own, of whose precision nothing is said here."""
# Modelled on TensorSpeech/TensorFlowASR.

import tensorflow as tf


class Transducer(tf.keras.Model):
    def call(self, inputs, training=False):
        return self.joint(self.encoder(inputs, training=training))

    def train_step(self, batch):
        x, y_true = batch
        with tf.GradientTape() as tape:
            loss = self.loss(y_true, self(x, training=True))
        gradients = tape.gradient(loss, self.trainable_variables)  # expect: TL543
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


class Conformer(Transducer):
    def build(self, shape):
        self.encoder = tf.keras.layers.LSTM(shape[-1])


class Scaled(tf.keras.Model):
    def differentiate(self, loss, tape):
        scaled = self.optimizer.get_scaled_loss(loss)
        return self.optimizer.get_unscaled_gradients(tape.gradient(scaled, self.trainable_weights))

    def train_step(self, batch):
        x, y_true = batch
        with tf.GradientTape() as tape:
            loss = self.loss(y_true, self(x, training=True))
            unscaled = tape.gradient if self.plain else None
        gradients = self.differentiate(loss, tape) if unscaled is None else tape.gradient(loss, self.trainable_weights)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_weights))
        return {"loss": loss}
