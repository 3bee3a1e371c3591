"""Tensors of a record that a traced function prints."""

import tensorflow as tf


class Metrics:
    def __init__(self, loss, count):
        self.loss = loss
        self.count = count


@tf.function
def train_step(model, images, labels):
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, model(images)))
    metrics = Metrics(loss, 3)
    print("loss", metrics.loss)  # expect: TL541
    return metrics.loss


@tf.function
def quiet_step(model, images, labels):
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, model(images)))
    metrics = Metrics(loss, 3)
    print("tracing with", metrics.count)
    tf.print("loss", metrics.loss)
    return metrics.loss
