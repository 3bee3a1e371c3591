"""A donated array is gone, on the CPU too; the result has taken its place."""

import jax
import jax.numpy as jnp


def step(weights, x):
    return weights - 0.1 * x


p_step = jax.jit(step, donate_argnums=0)


def read_again(weights, x):
    moved = p_step(weights, x)
    return float(jnp.sum(moved)), float(jnp.sum(weights))  # expect: TL529


def rebound(weights, x):
    weights = p_step(weights, x)
    return float(jnp.sum(weights))


def train(size):
    x = jnp.ones(size)
    try:
        read_again(jnp.zeros(size), x)
    except (RuntimeError, ValueError) as error:
        return [str(error), rebound(jnp.zeros(size), x)]
    return ["", rebound(jnp.zeros(size), x)]
