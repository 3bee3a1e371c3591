"""A key that a compiled function makes of a constant gives the same noise at every call."""

import jax


@jax.jit
def constant(x):
    return x + jax.random.normal(jax.random.key(0), x.shape)  # expect: TL534


@jax.jit
def handed(x, key):
    return x + jax.random.normal(key, x.shape)


def train(steps):
    x, key = jax.numpy.zeros(4), jax.random.key(0)
    same = {tuple(constant(x).tolist()) for _ in range(steps)}
    others = set()
    for _ in range(steps):
        key, subkey = jax.random.split(key)
        others.add(tuple(handed(x, subkey).tolist()))
    return [len(same), len(others)]
