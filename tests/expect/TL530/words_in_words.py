"""`main` is no word of `remaining` or `domain`, nor `load` of `payload`: these compute like any other compiled function."""

import time

import jax
import jax.numpy as jnp


@jax.jit
def domain_of(x):
    return jnp.tanh(x @ x.T)


def measured(x):
    start = time.perf_counter()
    y = domain_of(x)
    print("took", time.perf_counter() - start)  # expect: TL530
    return y


@jax.jit
def load_all(x):
    return jnp.tanh(x @ x.T)


def loaded(x):
    start = time.perf_counter()
    y = load_all(x)
    print("took", time.perf_counter() - start)
    return y
