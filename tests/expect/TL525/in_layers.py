"""NumPy on traced values in losses, layers and environments."""
# Modelled on AI-Hypercomputer/maxtext (engram), google/brax (envs), ikostrikov/jaxrl, google-research/big_vision.

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx
from jax import Array


def shifted(ids: Array, size: int):
    rows = [ids]
    for k in range(1, size):
        rows.append(jnp.roll(ids, k, axis=1))
    return rows


class Hashes(nnx.Module):
    def __init__(self, size):
        self.size = size
        self.multipliers = np.arange(1, size + 1)

    def __call__(self, ids: Array):
        rows = shifted(ids, self.size)
        mixed = ids * self.multipliers[0]
        for k in range(1, self.size):
            mixed = np.bitwise_xor(mixed, jnp.roll(ids, k) * self.multipliers[k])  # expect: TL525
        return np.concatenate(rows + [mixed], axis=1)  # expect: TL525


def reward(state, action):
    return -jnp.square(state.qpos).sum() - 0.1 * np.linalg.norm(action)  # expect: TL525


class Env:
    @partial(jax.jit, static_argnums=(0,))
    def step(self, state, action):
        state = state.replace(qpos=jnp.clip(state.qpos + action, -1, 1))
        return state, reward(state, action)


@partial(jax.grad, has_aux=True)
def objective(params, batch):
    logits = batch @ params
    return logits.mean(), {"perplexity": np.exp(logits.mean())}  # expect: TL525
