"""A step that Python runs operation by operation."""

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
loss_of = tf.keras.losses.MeanSquaredError()
optimizer = tf.keras.optimizers.SGD(0.01)


def train_step(inputs, targets):
    with tf.GradientTape() as tape:
        loss = loss_of(targets, model(inputs, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))  # expect: TL548
    return loss


def train(steps):
    inputs, targets = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([[1.0], [2.0]])
    losses = []
    for _ in range(steps):
        losses.append(float(train_step(inputs, targets)))
    return [hasattr(globals()["train_step"], "get_concrete_function"), losses]
