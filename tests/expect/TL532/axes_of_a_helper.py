"""Axes that a helper or a table says."""

import jax

AXES = {"decode": (None, 0, None), "sample": (None, 0, 0)}


def batch_axes():
    return (None, 0, None)


def decode(params, inputs, key):
    return inputs @ params + jax.random.gumbel(key, inputs.shape)


def decode_batch(params, inputs, key):
    return jax.vmap(decode, in_axes=batch_axes())(params, inputs, key)  # expect: TL532


def decode_by_table(params, inputs, key):
    return jax.vmap(decode, in_axes=AXES["decode"])(params, inputs, key)  # expect: TL532


def sample_batch(params, inputs, key):
    keys = jax.random.split(key, len(inputs))
    return jax.vmap(decode, in_axes=AXES["sample"])(params, inputs, keys)
