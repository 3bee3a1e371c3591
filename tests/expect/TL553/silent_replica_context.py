"""A function asks for the replica that it runs on, or runs others by the strategy of whoever calls it."""

import tensorflow as tf


def in_context(build, dataset, loss_object):
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = build()
        optimizer = tf.keras.optimizers.Adam()
    for x, y in dataset:
        with tf.GradientTape() as tape:
            loss = loss_object(y, model(x, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        gradients = tf.distribute.get_replica_context().all_reduce("sum", gradients)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
