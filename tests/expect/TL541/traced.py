"""What traced functions do in Python, here and in what they call."""
# Modelled on tensorflow/docs (guides to DTensor and tf.function), google/uncertainty-baselines and NVIDIA/DeepLearningExamples (SIM).

import tensorflow as tf


class Adam(tf.Module):
    def __init__(self, weights, rate=1e-3):
        self.weights, self.rate = weights, rate
        self.t = 1.0
        self.moments = []
        for each in weights:
            self.moments.append(tf.zeros_like(each))

    def apply_gradients(self, gradients):
        for gradient, weight in zip(gradients, self.weights):
            weight.assign_sub(self.rate * gradient / (1 - 0.9**self.t))
        self.t += 1.0  # expect: TL541


def of_ensemble(members, images):
    logits = []
    for member in members:
        logits.append(tf.nn.softmax(member(images)))
    return tf.reduce_mean(tf.stack(logits), axis=0)


@tf.function
def train_step(model, members, optimizer: Adam, images, labels):
    print("tracing training", images.shape, len(members))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(images) - of_ensemble(members, images)) ** 2)
        total = loss + tf.add_n(model.losses)
    optimizer.apply_gradients(tape.gradient(total, optimizer.weights))
    tf.print(total)
    tf.py_function(report, [total], [])
    print("Loss: {}".format(loss), total)  # expect: TL541
    return total


def report(value):
    print(tf.reduce_mean(value))


def main(model, members, batches):
    optimizer = Adam(model.weights)
    for images, labels in batches:
        loss = train_step(model, members, optimizer, images, labels)
        report(loss)
