"""Keys of a helper, or of the top of the file, that a compiled step draws with."""

import jax
import jax.numpy as jnp

NOISE = jax.random.key(7)


def fixed_key(seed=0):
    return jax.random.PRNGKey(seed)


def key_of(step):
    return jax.random.fold_in(NOISE, step)


@jax.jit
def train_step(params, batch):
    mask = jax.random.bernoulli(fixed_key(), 0.9, batch.shape)  # expect: TL534
    return params - 0.1 * jnp.mean(batch * mask)


@jax.jit
def noisy_step(params, batch):
    return params - 0.1 * jnp.mean(batch + jax.random.normal(NOISE, batch.shape))  # expect: TL534


@jax.jit
def folded_step(params, batch, step):
    return params - 0.1 * jnp.mean(batch + jax.random.normal(key_of(step), batch.shape))


@jax.jit
def handed_step(params, batch, key):
    return params - 0.1 * jnp.mean(batch + jax.random.normal(key, batch.shape))
