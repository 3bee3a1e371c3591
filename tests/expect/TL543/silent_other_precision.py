"""Steps that compute in another precision, in another program, or under a policy that is taken back."""
# Modelled on keras-team/keras-cv, google/automl and OpenNMT/OpenNMT-tf.

import tensorflow as tf
from tensorflow import keras


def step(model, optimizer, loss_fn, images, labels):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(images, training=True))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.weights), model.weights))


def train(model, loss_fn, batches, on_tpu):
    keras.mixed_precision.set_global_policy("mixed_bfloat16" if on_tpu else "float32")
    tf.config.optimizer.set_experimental_options({"auto_mixed_precision": False, "layout_optimizer": True})
    optimizer = keras.optimizers.Adam()
    for images, labels in batches:
        step(model, optimizer, loss_fn, images, labels)


def fit(model, batches, flags):
    if flags.mixed_precision:
        keras.mixed_precision.set_global_policy("mixed_float16")
    model.compile(optimizer="adam", loss="mse")
    model.fit(batches)


def infer(path, images):
    keras.mixed_precision.set_global_policy("mixed_float16")
    return keras.models.load_model(path).predict(images)


def chosen(model, loss_fn, batches, flags):
    keras.mixed_precision.set_global_policy(flags.policy)
    for images, labels in batches:
        step(model, keras.optimizers.Adam(), loss_fn, images, labels)
