"""Losses in float16 that go to an optimizer unscaled, and others that somebody scales."""
# Modelled on google/automl, NVIDIA/DeepLearningExamples (UNet_Medical, WideAndDeep, SIM, UNet_3D_Medical) and OpenNMT/OpenNMT-tf.

import horovod.tensorflow as hvd
import tensorflow as tf
import tensorflow.compat.v1 as tf1


def set_precision(name=None):
    if not name:
        return
    tf.keras.mixed_precision.set_global_policy(tf.keras.mixed_precision.Policy(name))


def in_graph(features, labels, config):
    set_precision("mixed_bfloat16" if config.tpu else "mixed_float16")
    logits = config.network(features)
    loss = tf1.losses.softmax_cross_entropy(labels, tf1.cast(logits, tf1.float32))
    if config.optimizer == "sgd":
        optimizer = tf1.train.GradientDescentOptimizer(config.rate)
    else:
        optimizer = tf1.train.RMSPropOptimizer(config.rate)
    if config.tpu:
        optimizer = tf1.tpu.CrossShardOptimizer(optimizer)
    return optimizer.minimize(loss, tf1.train.get_global_step())  # expect: TL543


def wrapped_in_graph(features, labels, config):
    set_precision("mixed_float16")
    loss = tf1.losses.softmax_cross_entropy(labels, config.network(features))
    optimizer = tf1.train.AdamOptimizer(config.rate)
    if config.amp:
        optimizer = tf1.train.experimental.MixedPrecisionLossScaleOptimizer(optimizer, "dynamic")
    return optimizer.minimize(loss)


def rewritten_in_graph(features, labels, config):
    set_precision("mixed_float16")
    loss = tf1.losses.softmax_cross_entropy(labels, config.network(features))
    optimizer = tf1.train.AdamOptimizer(config.rate)
    optimizer = tf1.train.experimental.enable_mixed_precision_graph_rewrite(optimizer)
    return optimizer.minimize(loss)


def of_two_players(generator, discriminator, reals, noise):
    tf.keras.mixed_precision.set_global_policy("mixed_float16")
    first, second = tf.keras.optimizers.Adam(1e-4), tf.keras.optimizers.Adam(4e-4)
    for real in reals:
        with tf.GradientTape() as one, tf.GradientTape() as other:
            fake = generator(noise, training=True)
            fooled = tf.reduce_mean(tf.math.softplus(-discriminator(fake, training=True)))
            seen = tf.reduce_mean(tf.math.softplus(discriminator(fake, training=True) - discriminator(real, training=True)))
        first.apply_gradients(zip(one.gradient(fooled, generator.weights), generator.weights))  # expect: TL543
        second.apply_gradients(zip(other.gradient(seen, discriminator.weights), discriminator.weights))  # expect: TL543


@tf.function
def over_ranks(model, optimizer, loss_fn, images, labels):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(loss_fn(labels, model(images, training=True)))
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)  # expect: TL543
    gradients = [None if each is None else tf.clip_by_norm(each, 1.0) for each in gradients]
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def asks_the_optimizer(model, optimizer, loss_fn, images, labels):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(images, training=True))
        scales = isinstance(optimizer, tf.keras.mixed_precision.LossScaleOptimizer)
        target = optimizer.get_scaled_loss(loss) if scales else loss
    gradients = tape.gradient(target, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def by_hand(model, optimizer, loss_fn, images, labels, factor):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(images, training=True)) * factor
    gradients = [each / factor for each in tape.gradient(loss, model.trainable_variables)]
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def with_a_penalty(model, optimizer, images):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            inner.watch(images)
            score = model(images, training=True)
        slope = inner.gradient(score, images)
        loss = optimizer.scale_loss(tf.reduce_mean(slope**2))
    optimizer.apply_gradients(zip(outer.gradient(loss, model.weights), model.weights))


class Smooth:
    """An optimizer of the project."""

    def __init__(self, inner):
        self.inner = inner

    def apply_gradients(self, pairs):
        scale = self.inner.loss_scale_factor
        self.inner.apply_gradients([(each / scale, weights) for each, weights in pairs])


def smoothly(model, optimizer, loss_fn, images, labels):
    smooth = Smooth(optimizer)
    with tf.GradientTape() as tape:
        loss = smooth.inner.scale_loss(loss_fn(labels, model(images, training=True)))
    smooth.apply_gradients(zip(tape.gradient(loss, model.weights), model.weights))


def main(model, loss_fn, batches, flags):
    if flags.amp:
        tf.keras.mixed_precision.set_global_policy("mixed_float16")
    optimizer = tf.keras.optimizers.SGD(0.1)
    for images, labels in batches:
        over_ranks(model, optimizer, loss_fn, images, labels)
        asks_the_optimizer(model, optimizer, loss_fn, images, labels)
        by_hand(model, optimizer, loss_fn, images, labels, flags.factor)
        with_a_penalty(model, optimizer, images)
        smoothly(model, optimizer, loss_fn, images, labels)
