"""Losses of models in float16: who asks for it, how the loss is differentiated, and who takes care of its scale."""

import tensorflow as tf
from tensorflow import keras

POLICY = "mixed_float16"


def plain(model, optimizer, loss_fn, images, labels):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(images, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)  # expect: TL543
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def main(model, optimizer, loss_fn, batches):
    keras.mixed_precision.set_global_policy("mixed_float16")
    for images, labels in batches:
        plain(model, optimizer, loss_fn, images, labels)


def by_keyword(model, optimizer, loss_fn, images, labels):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(images, training=True))
    gradients = tape.gradient(target=loss, sources=model.trainable_variables)  # expect: TL543
    optimizer.apply_gradients(grads_and_vars=zip(gradients, model.trainable_variables))


def main_by_policy(model, optimizer, loss_fn, batches):
    keras.mixed_precision.set_global_policy(keras.mixed_precision.Policy("mixed_float16"))
    for images, labels in batches:
        by_keyword(model, optimizer, loss_fn, images, labels)


def by_constant(model, optimizer, loss_fn, images, labels):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(images, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)  # expect: TL543
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def main_by_constant(model, optimizer, loss_fn, batches):
    keras.mixed_precision.set_global_policy(keras.mixed_precision.Policy(name=POLICY))
    for images, labels in batches:
        by_constant(model, optimizer, loss_fn, images, labels)


def in_bfloat(model, optimizer, loss_fn, images, labels):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(images, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def main_in_bfloat(model, optimizer, loss_fn, batches):
    keras.mixed_precision.set_global_policy(keras.mixed_precision.Policy("mixed_bfloat16"))
    for images, labels in batches:
        in_bfloat(model, optimizer, loss_fn, images, labels)


def of_a_setting(model, optimizer, loss_fn, images, labels):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(images, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def main_of_a_setting(model, optimizer, loss_fn, batches, policy):
    keras.mixed_precision.set_global_policy(policy)
    for images, labels in batches:
        of_a_setting(model, optimizer, loss_fn, images, labels)


def of_nothing(model, optimizer, loss_fn, images, labels):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(images, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def main_of_nothing(model, optimizer, loss_fn, batches):
    keras.mixed_precision.set_global_policy(keras.mixed_precision.Policy())
    for images, labels in batches:
        of_nothing(model, optimizer, loss_fn, images, labels)


def scaled(model, optimizer, loss_fn, images, labels):
    with tf.GradientTape() as tape:
        loss = optimizer.scale_loss(loss_fn(labels, model(images, training=True)))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def halved(model, optimizer, loss_fn, images, labels, factor):
    """A half is a number of the mean, no scale."""
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(images, training=True)) * factor
    gradients = tape.gradient(loss, model.trainable_variables)  # expect: TL543
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def multiplied(model, optimizer, loss_fn, images, labels, factor):
    """By how much nobody sees."""
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(images, training=True)) * factor
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def clipped(model, optimizer, loss_fn, images, labels):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(images, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)  # expect: TL543
    gradients = [tf.clip_by_norm(each, 1.0) for each in gradients]
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def added_up(model, optimizer, loss_fn, batches):
    total = None
    for images, labels in batches:
        with tf.GradientTape() as tape:
            loss = loss_fn(labels, model(images, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)  # expect: TL543
        total = gradients if total is None else [a + b for a, b in zip(total, gradients)]
    optimizer.apply_gradients(zip(total, model.trainable_variables))


def of_two_tapes(model, critic, optimizer, loss_fn, images, labels):
    """One of the two trains; what the other finds is looked at."""
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(images, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)  # expect: TL543
    with tf.GradientTape() as other:
        other.watch(images)
        score = critic(images)
    slopes = other.gradient(score, images)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return tf.reduce_mean(slopes)


def gradients_of(model, loss_fn, images, labels):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(images, training=True))
    return tape.gradient(loss, model.trainable_variables)  # expect: TL543


def returned(model, optimizer, loss_fn, images, labels):
    gradients = gradients_of(model, loss_fn, images, labels)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def applied_by(optimizer, gradients, variables):
    optimizer.apply_gradients(zip(gradients, variables))


def handed_on(model, optimizer, loss_fn, images, labels):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(images, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)  # expect: TL543
    applied_by(optimizer, gradients, model.trainable_variables)


def looked_at(model, images):
    with tf.GradientTape() as tape:
        tape.watch(images)
        score = model(images)
    return tape.gradient(score, images)


def no_tape(slope, model, optimizer):
    """A method of something else, which has that name."""
    gradients = slope.gradient(model, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def all_of_them(model, critic, optimizer, loss_fn, batches, slope, factor):
    keras.mixed_precision.set_global_policy("mixed_float16")
    for images, labels in batches:
        scaled(model, optimizer, loss_fn, images, labels)
        halved(model, optimizer, loss_fn, images, labels, 0.5)
        multiplied(model, optimizer, loss_fn, images, labels, factor)
        clipped(model, optimizer, loss_fn, images, labels)
        of_two_tapes(model, critic, optimizer, loss_fn, images, labels)
        returned(model, optimizer, loss_fn, images, labels)
        handed_on(model, optimizer, loss_fn, images, labels)
        looked_at(model, images)
        no_tape(slope, model, optimizer)
    added_up(model, optimizer, loss_fn, batches)


def minimized(model, loss_fn, images, labels):
    optimizer = keras.optimizers.Adam()
    optimizer.minimize(lambda: loss_fn(labels, model(images)), model.trainable_variables)  # expect: TL543


def minimized_by_somebody(optimizer, model, loss_fn, images, labels):
    optimizer.minimize(lambda: loss_fn(labels, model(images)), model.trainable_variables)


def minimized_and_wrapped(model, loss_fn, images, labels):
    optimizer = keras.mixed_precision.LossScaleOptimizer(keras.optimizers.Adam())
    optimizer.minimize(lambda: loss_fn(labels, model(images)), model.trainable_variables)


def minimized_by_choice(optimizer, model, loss_fn, images, labels):
    chosen = keras.optimizers.Adam() if optimizer is None else optimizer
    chosen.minimize(lambda: loss_fn(labels, model(images)), model.trainable_variables)


def main_of_minimizers(model, loss_fn, batches, optimizer):
    keras.mixed_precision.set_global_policy("mixed_float16")
    for images, labels in batches:
        minimized(model, loss_fn, images, labels)
        minimized_by_somebody(optimizer, model, loss_fn, images, labels)
        minimized_by_choice(optimizer, model, loss_fn, images, labels)


def main_wrapped(model, loss_fn, batches):
    keras.mixed_precision.set_global_policy("mixed_float16")
    for images, labels in batches:
        minimized_and_wrapped(model, loss_fn, images, labels)


def never_asked(model, optimizer, loss_fn, images, labels):
    """Nobody asks for float16 where this runs."""
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(images, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
