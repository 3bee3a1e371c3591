"""What is known while JAX traces: static arguments, shapes, structure, settings, the kind of a value."""
# Modelled on ikostrikov/jaxrl, google/flax (stochastic), pyro-ppl/numpyro (stein_kernels), patrick-kidger/equinox (dropout), google/brax.

import functools
from typing import Any, NamedTuple

import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as np
import numpy as onp
from jax import lax


@functools.partial(jax.jit, static_argnames=("update_target"))
def update_jit(rng, actor, batch, tau: float, update_target: bool):
    rng, key = jax.random.split(rng)
    if update_target:
        actor = actor * tau
    return rng, actor, key


@functools.partial(jax.jit, static_argnums=(0, 3))
def learn(self, params, batch, rounds=1):
    for index in range(rounds):
        if index > 0 and self.discount > 0.5:
            params = params + index
    return params


@jax.jit
def bandwidth(x, weights=None, mode="scale", *, wide=False):
    if weights is not None and weights.shape[0] != x.shape[0]:
        raise ValueError("as many weights as rows")
    if x.ndim == 2:
        x = x.sum(-1)
    elif x.ndim == 1 and len(x) > 1:
        x = x / x.size
    if mode == "scale" and not wide and x.dtype == np.float32:
        x = x * onp.sqrt(x.shape[0])
    assert x.ndim == 1, x.shape
    return x if np.issubdtype(x.dtype, np.floating) else x.astype(np.float32)


class Dropout(nn.Module):
    rate: float
    deterministic: bool | None = None

    @nn.compact
    def __call__(self, inputs: jax.Array, deterministic: bool | None = None, rng=None):
        deterministic = nn.merge_param("deterministic", self.deterministic, deterministic)
        if (self.rate == 0.0) or deterministic:
            return inputs
        if self.rate == 1.0:
            return np.zeros_like(inputs)
        if rng is None:
            rng = self.make_rng("dropout")
        if self.has_variable("batch_stats", "mean") and not self.is_initializing():
            inputs = inputs * 2
        keep = jax.random.bernoulli(rng, 1 - self.rate, inputs.shape)
        return lax.select(keep, inputs, np.zeros_like(inputs))


class Gate(eqx.Module):
    p: float
    inference: bool = False

    def __call__(self, x: jax.Array, *, key=None, inference: bool | None = None):
        if inference is None:
            inference = self.inference
        if isinstance(self.p, (int, float)) and self.p == 0:
            inference = True
        if inference:
            return x
        elif key is None:
            raise RuntimeError("a key is needed")
        return x * jax.random.bernoulli(key, self.p, x.shape)


class Batch(NamedTuple):
    x: Any
    mask: Any


@jax.pmap
def evaluate(params, batch: Batch):
    mask = batch.mask
    logits = batch.x @ params["head"]
    if mask is None:
        mask = np.ones(logits.shape[:-1])
    for name, value in sorted(params.items()):
        if name.startswith("bias") and "head" in params:
            logits = logits + value
    if isinstance(params, dict) and len(params) > 3 and hasattr(batch, "x"):
        logits = logits * 2
    return lax.cond(np.any(mask > 0), lambda z: z, lambda z: 0 * z, logits)


@jax.jit
def merge(params, extra=None, names=("a",)):
    extra = extra or {}
    known = len(params) > 1 and "a" in params
    wide = 0 < params["a"].ndim < 3
    flat = not isinstance(params, dict)
    return (np.zeros(3) if flat else params["a"]) if known and wide and not names == () else extra


def make_step(loss, accumulate, mesh):
    def step(params, batches):
        total = 0.0
        for index, batch in enumerate(batches):
            total = total + loss(params, batch)
            if index == accumulate - 1:
                break
        if accumulate > 1:
            total = total / accumulate
        if mesh is not None and mesh.shape["data"] > 1:
            total = lax.pmean(total, "data")
        if jax.process_index() == 0 and jax.local_device_count() > 1:
            total = total * 1
        return total

    return jax.jit(step)
