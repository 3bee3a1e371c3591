"""Models that a traced function is handed: a test of what they compute needs a value that is not there."""

import equinox as eqx
import jax.numpy as jnp
from flax import nnx


@nnx.jit
def clipped(model, x):
    y = model(x)
    if y.max() > 3:  # expect: TL520
        y = y / 2
    return y


@eqx.filter_jit
def finite(model, x):
    y = model(x)
    assert jnp.all(jnp.isfinite(y))  # expect: TL520
    return y


@nnx.jit
def right(model, x):
    y = model(x)
    if y.ndim > 1 and y.shape[0] > 3:
        y = y / 2
    return jnp.where(y > 3, 3, y)


@eqx.filter_jit
def optional(model, x, key=None):
    y = model(x, key=key)
    return y if key is None else y / 2
