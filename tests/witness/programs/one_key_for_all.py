"""A key that is not mapped gives each example the same noise."""

import jax
import jax.numpy as jnp


def noisy(example, key):
    return example + jax.random.normal(key, example.shape)


def train(examples):
    key = jax.random.key(0)
    batch = jnp.zeros((examples, 4))
    shared = jax.vmap(noisy, in_axes=(0, None))(batch, key)  # expect: TL532
    own = jax.vmap(noisy)(batch, jax.random.split(jax.random.key(1), examples))
    return [len({tuple(row) for row in noise.tolist()}) for noise in (shared, own)]
