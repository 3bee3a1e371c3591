"""The same units drop in every step: the key of the dropout is never another one."""

import jax
import jax.numpy as jnp


@jax.jit
def step(weights, key):
    kept = jax.random.bernoulli(key, 0.5, weights.shape)
    gradient = jax.grad(lambda w: jnp.sum((w * kept - 1.0) ** 2))(weights)
    return weights - 0.25 * gradient


def train(steps):
    key = jax.random.key(0)
    weights = jnp.zeros(16)
    untouched = []
    for _ in range(steps):
        weights = step(weights, key)  # expect: TL523
        untouched.append(int((weights == 0).sum()))
    return untouched
