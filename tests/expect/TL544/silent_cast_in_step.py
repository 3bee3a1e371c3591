"""A model whose own step turns its output into float32, and others whose last layer says so itself."""
# Modelled on google/automl (efficientnetv2) and NVIDIA/DeepLearningExamples (UNet3P, SIM).

import tensorflow as tf
from tensorflow.keras import layers


class Network(tf.keras.Model):
    def __init__(self, classes):
        super().__init__()
        self.body = layers.Dense(64)
        self.head = layers.Dense(classes)

    def call(self, inputs, training=None):
        return self.head(self.body(inputs))


class Trainable(Network):
    def train_step(self, data):
        images, labels = data
        with tf.GradientTape() as tape:
            predictions = tf.cast(self(images, training=True), tf.float32)
            loss = self.optimizer.get_scaled_loss(self.compiled_loss(labels, predictions))
        gradients = self.optimizer.get_unscaled_gradients(tape.gradient(loss, self.trainable_variables))
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


class Scored(tf.keras.Model):
    def __init__(self, sizes):
        super().__init__()
        self.parts = [layers.Dense(size) for size in sizes] + [layers.Dense(1, dtype="float32")]

    def call(self, inputs):
        for part in self.parts:
            inputs = part(inputs)
        return inputs


def unet(classes, **options):
    inputs = tf.keras.Input((64, 64, 3))
    maps = layers.Conv2D(classes, 3, padding="same", **options)(inputs)
    return tf.keras.Model(inputs, layers.Activation("sigmoid" if classes == 1 else "softmax", dtype="float32")(maps))


def main(args, batches):
    if args.amp:
        tf.keras.mixed_precision.set_global_policy("mixed_bfloat16" if args.tpu else "mixed_float16")
    for model in (Trainable(10), Scored((8, 4)), unet(1)):
        model.compile(optimizer="adam", loss="mse")
        model.fit(batches)
