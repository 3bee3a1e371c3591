"""What traced functions may do beside computing."""
# Modelled on google/brax (ppo train), google/flax (train_state, nnx), AI-Hypercomputer/maxtext, vwxyzjn/cleanrl.

import logging
import time

import flax
import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx


@flax.struct.dataclass
class State:
    params: jax.Array
    step: jax.Array

    def apply(self, grads):
        return self.replace(params=self.params - grads, step=self.step + 1)


class Counter(nnx.Module):
    def __init__(self):
        self.count = nnx.Variable(jnp.zeros(()))

    @nnx.jit
    def __call__(self, x: jax.Array):
        self.count.value = self.count.value + 1
        return x


class Norm(nn.Module):
    def setup(self):
        self.table = np.random.RandomState(0).rand(4)

    def __call__(self, x: jax.Array):
        mean = self.variable("batch_stats", "mean", jnp.zeros, x.shape[-1:])
        mean.value = 0.9 * mean.value + 0.1 * x.mean(0)
        return x - mean.value


@jax.jit
def step(state, batch, metrics=None):
    logging.info("tracing for %s", batch.shape)
    losses, info = [], {}
    for scale in (1.0, 0.5):
        losses.append(scale * (batch @ state.params).mean())
    info["loss"] = jnp.stack(losses).sum()
    info.update(norm=jnp.linalg.norm(state.params))
    return state.apply(info["loss"]), info


def train(state, batches):
    walltime, history = 0.0, []
    for batch in batches:
        start = time.time()
        noise = np.random.normal(size=batch.shape)
        state, info = step(state, batch + noise)
        jax.block_until_ready(state)
        walltime += time.time() - start
        history.append(info["loss"])
        print(info["loss"], walltime)
    return state, history


def mixed_up(batch, rng=None):
    """For the input pipeline, and for the step, which has a key."""
    if rng is None:
        weight = np.random.beta(0.2, 0.2)
    else:
        weight = jax.random.beta(rng, 0.2, 0.2)
    return weight * batch + (1.0 - weight) * batch[::-1]


@jax.jit
def mixed_step(params, batch, rng):
    return jnp.mean((mixed_up(batch, rng=jax.random.fold_in(rng, 1)) @ params) ** 2)
