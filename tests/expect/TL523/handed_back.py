"""Helpers that use a key up and hand the same one back."""

import jax
import jax.numpy as jnp


def augment(key, x):
    noise = jax.random.normal(key, x.shape)
    return x + noise, key


def augment_good(key, x):
    key, sub = jax.random.split(key)
    return x + jax.random.normal(sub, x.shape), key


def take(rng):
    return jax.random.uniform(rng, (2,)), rng


def train(batches):
    key = jax.random.PRNGKey(0)
    for b in batches:
        x, key = augment(key, b)  # expect: TL523
        print(x)


def train_good(batches):
    key = jax.random.PRNGKey(0)
    for b in batches:
        x, key = augment_good(key, b)
        print(x)


def twice(x):
    key = jax.random.PRNGKey(0)
    a, key = augment(key, x)
    b, key = augment(key, x)  # expect: TL523
    return a + b


def mixed(x):
    rng = jax.random.PRNGKey(0)
    a, rng = take(rng)
    b = jax.random.normal(rng, (2,))  # expect: TL523
    return a + b


def helper_split(key):
    keys = jax.random.split(key, 3)
    return keys[0], keys[1]


def use(key):
    a, b = helper_split(key)
    return jax.random.normal(key, (2,)) + jax.random.normal(a, (2,)) + jax.random.normal(b, (2,))  # expect: TL523
