"""What asks for the strategy that it runs under, and does not run under that one, says nothing of it."""

import tensorflow as tf


def train(build, dataset):
    strategy = tf.distribute.MirroredStrategy()  # expect: TL553
    with strategy.scope():
        model = build()
        optimizer = tf.keras.optimizers.Adam()
    for x, y in dataset:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))


def predict(model, batches):
    strategy = tf.distribute.get_strategy()
    return [strategy.run(model, args=(batch,)) for batch in batches]


def other_script(build, batches):
    predict(build(), batches)
