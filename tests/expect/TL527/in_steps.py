"""Masks, counts and bounds that are traced, in steps and in what they call; and sizes that change on the host."""
# Modelled on AI-Hypercomputer/maxtext (multimodal_utils, engram), google/brax, google-research/big_vision, ikostrikov/jaxrl.

from functools import partial

import jax
import jax.numpy as jnp


def compress(ids, table):
    valid = ids >= 0
    picked = table[ids[valid]]
    return ids.at[valid].set(picked)  # expect: TL527


@partial(jax.jit, static_argnames=("size",))
def forward(params, ids, table, size):
    hidden = compress(ids, params["table"]) * size
    count = jnp.sum(ids > 0)
    window = hidden[:count]
    ramp = jnp.arange(count)  # expect: TL527
    return window.mean() + ramp.sum()  # expect: TL527


@jax.vmap
def positives(scores, labels):
    keep = jnp.logical_and(labels > 0, jnp.isfinite(scores))
    return scores[keep].mean(), jnp.argwhere(keep)  # expect: TL527, TL527


def positions(sequences, start_token):
    found = []
    for row in range(sequences.shape[0]):
        starts = jnp.where(sequences[row] == start_token)[0]  # expect: TL527
        found.append(len(starts))
    return found
