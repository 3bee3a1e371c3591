"""The bounds of a truncated distribution may be traced; its shape, which comes behind them, may not."""

import jax
import jax.numpy as jnp


@jax.jit
def drawn(key, x):
    low, count = jnp.min(x), jnp.sum(x)
    first, second = jax.random.split(key)
    inside = jax.random.truncated_normal(first, low, low + 1, (3,))
    return inside, jax.random.truncated_normal(second, low, low + 1, (count, 2))  # expect: TL527
