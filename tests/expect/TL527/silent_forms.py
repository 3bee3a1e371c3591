"""Shapes that stay as they are."""
# Modelled on google/flax (examples), AI-Hypercomputer/maxtext (layers), google-research/big_vision, mlcommons/algorithmic-efficiency.

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


@jax.jit
def loss(params, tokens, targets, weights=None):
    logits = params[tokens]
    one_hot = jax.nn.one_hot(targets, logits.shape[-1])
    losses = -jnp.sum(one_hot * jax.nn.log_softmax(logits), axis=-1)
    if weights is not None:
        losses = jnp.where(weights > 0, losses, 0.0)
    valid = (targets != 0).astype(jnp.float32)
    losses = losses.at[..., 0].set(0.0) * valid
    length = tokens.shape[1]
    causal = jnp.tril(jnp.ones((length, length)))[None, :length]
    rows = jnp.nonzero(targets, size=4)[0]
    order = jnp.argsort(losses.ravel())[: length // 2]
    taken = losses.ravel()[order] + jnp.take(losses, jnp.argmax(losses)) + losses[rows].sum()
    return losses.sum() / valid.sum() + causal.mean() + taken.sum()


@jax.pmap
def packed(segments, positions):
    mask = segments[:, None] == segments[None, :]
    bias = lax.select(mask, jnp.zeros(mask.shape), jnp.full(mask.shape, -1e9))
    pieces = jnp.split(bias, 2, axis=-1)
    steps = jnp.arange(positions.shape[0]) + jnp.arange(4)[:, None]
    return pieces[0] + steps[:, : pieces[0].shape[-1]], jnp.repeat(positions, 2, axis=0)


def prepare(batch):
    keep = np.unique(batch["ids"])
    rows = np.nonzero(batch["mask"])[0]
    return jnp.asarray(batch["ids"][rows]), keep[keep > 0]


def mined(scores):
    return scores[scores > 0.5], jnp.unique(scores)
