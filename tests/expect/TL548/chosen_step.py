"""Steps that a function hands out."""

import tensorflow as tf


def train_step(model, optimizer, loss_of, images, labels):
    with tf.GradientTape() as tape:
        loss = loss_of(labels, model(images, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))  # expect: TL548
    return loss


def fast_step(model, optimizer, loss_of, images, labels):
    with tf.GradientTape() as tape:
        loss = loss_of(labels, model(images, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def plain():
    return train_step


def traced():
    return tf.function(fast_step)


def train(model, optimizer, loss_of, batches):
    step = plain()
    for images, labels in batches:
        step(model, optimizer, loss_of, images, labels)


def train_fast(model, optimizer, loss_of, batches):
    step = traced()
    for images, labels in batches:
        step(model, optimizer, loss_of, images, labels)
