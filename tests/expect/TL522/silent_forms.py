"""Arguments that are declared static, that are computed with, or that keep their default."""
# Modelled on ikostrikov/jaxrl, henry-prior/jax-rl, google/flax (examples), AI-Hypercomputer/maxtext (inference), google-research/big_vision.

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax

SIZES = ("num_samples",)


@partial(jax.jit, static_argnames=SIZES)
def sample_actions(rng, actor, num_samples, temperature: float = 1.0):
    keys = jax.random.split(rng, num_samples)
    return keys * temperature


@partial(jax.pmap, axis_name="batch", static_broadcasted_argnums=(3, 4))
def decode(params, inputs, cache, max_len, beam):
    sequences = jnp.zeros((inputs.shape[0], beam, max_len))
    for _ in range(max_len):
        sequences = sequences + inputs[:, None, None]
    return sequences, cache


class Engine:
    @partial(jax.jit, static_argnums=0, static_argnames=("algorithm", "topp"))
    def pick(self, logits, slot, algorithm, topp):
        if topp < 0:
            raise ValueError(topp)
        row = lax.dynamic_index_in_dim(logits, slot)
        window = lax.dynamic_slice(logits, (slot, 0), (1, logits.shape[1]))
        return row[:, : logits.shape[1] // 2] * window[slot, 0], algorithm

    def choose(self, logits, slot, topp: float = 0.9):
        return self.pick(logits, slot, "nucleus", topp)


@jax.jit
def scale(x, rate, index, flag: bool = False, axis=0):
    x = jnp.where(flag, x, 2 * x) if False else x * rate
    if flag:
        x = x * 2
    return jnp.sum(x, axis=axis)[index] + lax.fori_loop(0, index, lambda i, y: y + i, 0.0)


def grow(params, steps, settings):
    for size in (8, 16, 32):
        params = sample_actions(params, None, size)
    for _ in range(steps):
        params = sample_actions(params, None, settings.samples)
    return scale(params, 0.1, 2)


@partial(jax.jit, static_argnums=1)
def bounded(x, max_action: float):
    return max_action * jnp.tanh(x)


def policy(x, max_action: float):
    return bounded(x, max_action)
