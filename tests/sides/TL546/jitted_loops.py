"""Batches of a shuffled dataset that a loop hands to functions which JAX compiles."""

import jax
import jax.numpy as jnp
import tensorflow as tf
from jax.experimental import jax2tf


@jax.jit
def step(params, batch):
    return params - batch.mean()


def plain_step(params, batch):
    return params - batch.mean()


kept = jax.jit(plain_step)
mapped = jax.vmap(plain_step)
gradient = jax.grad(plain_step)


def jitted(params, arrays, size):
    data = tf.data.Dataset.from_tensor_slices(arrays).shuffle(100).batch(size)  # expect: TL546
    for batch in data.as_numpy_iterator():
        params = step(params, batch)
    return params


def jitted_by_name(params, arrays, size):
    data = tf.data.Dataset.from_tensor_slices(arrays).shuffle(100).batch(size)  # expect: TL546
    for batch in data:
        params = kept(params, jnp.asarray(batch))
    return params


def jitted_by_keyword(params, arrays, size):
    data = tf.data.Dataset.from_tensor_slices(arrays).shuffle(100).batch(size)  # expect: TL546
    for batch in data:
        params = step(params, batch=batch)
    return params


def not_compiled(params, arrays, size):
    data = tf.data.Dataset.from_tensor_slices(arrays).shuffle(100).batch(size)
    for batch in data:
        params = plain_step(params, batch)
    return params


def mapped_only(params, arrays, size):
    data = tf.data.Dataset.from_tensor_slices(arrays).shuffle(100).batch(size)
    for batch in data:
        params = mapped(params, batch)
    return params


def gradient_only(params, arrays, size):
    data = tf.data.Dataset.from_tensor_slices(arrays).shuffle(100).batch(size)
    for batch in data:
        params = params - gradient(params, batch)
    return params


def not_fed(params, arrays, size):
    """What is compiled is given something else."""
    data = tf.data.Dataset.from_tensor_slices(arrays).shuffle(100).batch(size)
    for batch in data:
        params = step(params, params)
    return params


def fed_with_another(params, arrays, others, size):
    data = tf.data.Dataset.from_tensor_slices(arrays).shuffle(100).batch(size)
    for batch in data:
        for other in others:
            params = step(params, other)
    return params


def in_order(params, arrays, size):
    """Nothing is shuffled: an evaluation, which has to see all."""
    data = tf.data.Dataset.from_tensor_slices(arrays).batch(size)
    for batch in data:
        params = step(params, batch)
    return params


def left_early(params, arrays, size):
    data = tf.data.Dataset.from_tensor_slices(arrays).shuffle(100).batch(size)
    for number, batch in enumerate(data):
        if number > 100:
            break
        params = step(params, batch)
    return params


def left_by_return(params, arrays, size):
    data = tf.data.Dataset.from_tensor_slices(arrays).shuffle(100).batch(size)
    for batch in data:
        params = step(params, batch)
        if params.sum() > 3:
            return params
    return params


def left_over(params, arrays, size):
    """Rounds that are skipped do not end the loop."""
    data = tf.data.Dataset.from_tensor_slices(arrays).shuffle(100).batch(size)  # expect: TL546
    for batch in data:
        if params.sum() > 3:
            continue
        params = step(params, batch)
    return params


def dropped(params, arrays, size):
    data = tf.data.Dataset.from_tensor_slices(arrays).shuffle(100).batch(size, drop_remainder=True)
    for batch in data:
        params = step(params, batch)
    return params


def chosen_data(params, arrays, size, shuffled):
    """One of two ways does not shuffle."""
    data = tf.data.Dataset.from_tensor_slices(arrays)
    if shuffled:
        data = data.shuffle(100)
    for batch in data.batch(size):
        params = step(params, batch)
    return params


def chosen_remainder(params, arrays, size, dropping):
    data = tf.data.Dataset.from_tensor_slices(arrays).shuffle(100)
    data = data.batch(size, drop_remainder=True) if dropping else data.batch(size)
    for batch in data:
        params = step(params, batch)
    return params


def converted(params, arrays, size):
    """What JAX hands to TensorFlow is compiled by somebody else."""
    data = tf.data.Dataset.from_tensor_slices(arrays).shuffle(100).batch(size)
    run = jax2tf.convert(plain_step)
    for batch in data:
        params = run(params, batch)
    return params
