"""One key for three draws: each further one is said once."""

import jax


def draw(key, shape):
    one = jax.random.normal(key, shape)
    two = jax.random.normal(key, shape)  # expect: TL523
    three = jax.random.normal(key, shape)  # expect: TL523
    return one, two, three


def split(key, shape):
    key, own = jax.random.split(key)
    one = jax.random.normal(own, shape)
    key, own = jax.random.split(key)
    two = jax.random.normal(own, shape)
    return one, two
