"""Models, and functions of other shapes that are traced."""
# Modelled on google/flax (examples), patrick-kidger/equinox (nn), AI-Hypercomputer/maxtext (layers), ikostrikov/jaxrl.

from typing import Optional

import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
from flax import nnx
from jax import lax

Array = jax.Array


def bounded(scores: Array, limit: float):
    top = scores.max()
    if limit > 0 and top > limit:  # expect: TL520
        scores = scores * (limit / top)
    return scores


class Attention(nn.Module):
    limit: float = 30.0

    @nn.compact
    def __call__(self, x: Array, mask: Optional[Array] = None, train: bool = False):
        scores = nn.Dense(8)(x)
        scores = bounded(scores, self.limit)
        if train and mask is not None:
            scores = scores * mask
        return scores


class Router(nnx.Module):
    def __init__(self, rngs):
        self.gate = nnx.Linear(4, 4, rngs=rngs)

    def __call__(self, x: jnp.ndarray):
        load = jnp.sum(x, axis=0)
        return x if (load > 0).all() else self.gate(x)  # expect: TL520


class Norm(eqx.Module):
    eps: float

    def __call__(self, x: Array):
        scale = jnp.linalg.norm(x)
        if scale == 0.0:  # expect: TL520
            return x
        return x / (scale + self.eps)


def search(scores, limit):
    def cond(state):
        index, best = state
        return best < limit

    def body(state):
        index, best = state
        if scores[index] > best:  # expect: TL520
            best = scores[index]
        return index + 1, best

    return lax.while_loop(cond, body, (0, 0.0))


losses = jax.vmap(lambda example, weight: example * weight if weight > 0 else 0.0, in_axes=(0, None))
weights = jax.vmap(lambda example, weight: example if example > 0 else weight, in_axes=(0, None))  # expect: TL520
