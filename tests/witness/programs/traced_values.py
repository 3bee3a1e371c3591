"""What needs a value while JAX traces: each case that is wrong has an error, or traces too often, beside one that is right."""

import math
import random
import time
import uuid
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

X = jnp.arange(1.0, 5.0)


@jax.jit
def bad_branch(x):
    return x if x.sum() > 0 else -x  # expect: TL520


@jax.jit
def good_branch(x):
    return jnp.where(x.sum() > 0, x, -x) if x.ndim == 1 else x


@jax.vmap
def bad_mapped(x):
    assert x > 0  # expect: TL520
    return x


@jax.jit
def bad_loop(x):
    while x[0] > 0.5:  # expect: TL520
        x = x / 2
    return x


@jax.jit
def bad_larger(x):
    return max(x[0], 2.0)  # expect: TL520


@jax.jit
def bad_joined(x):
    return jnp.where(1 < x[0] < 3, x, 0.0)  # expect: TL520


def good_gradient(x):
    return jax.grad(lambda w: (w**2).sum() if w.sum() > 0 else w.sum())(x)


@jax.jit
def bad_mask(x):
    return x[x > 2].sum()  # expect: TL527


@jax.jit
def good_mask(x):
    return jnp.sum(x, where=x > 2)


@jax.jit
def bad_set(x):
    return x.at[x > 2].set(jnp.zeros(2))  # expect: TL527


@jax.jit
def bad_unique(x):
    return jnp.unique(x)  # expect: TL527


@jax.jit
def good_unique(x):
    return jnp.unique(x, size=4)


@jax.jit
def bad_repeat(x):
    return jnp.repeat(x, x.astype(int))  # expect: TL527


@jax.jit
def bad_range(x):
    return sum(i for i in range(x.astype(int)[0]))  # expect: TL527


@jax.jit
def bad_numpy(x):
    return np.sqrt(x)  # expect: TL525


@jax.jit
def good_numpy(x):
    return np.sum(x) * np.sqrt(x.shape[0])


@jax.jit
def bad_math(x):
    return x * math.exp(x[0])  # expect: TL525


@jax.jit
def bad_float(x):
    return float(x.mean())  # expect: TL526


@jax.jit
def bad_item(x):
    return x.mean().item()  # expect: TL526


def bad_float_of_gradient(x):
    def loss(w):
        value = (w**2).sum()
        return value, {"loss": float(value)}  # expect: TL526

    return jax.grad(loss, has_aux=True)(x)


@jax.jit
def good_float(x):
    return float(x.shape[0]) * x


def _sized(x, size):
    return jnp.zeros(size).at[: x.shape[0]].set(x)  # expect: TL522


def bad_shape(x):
    return jax.jit(_sized)(x, 8)


def good_shape(x):
    return jax.jit(_sized, static_argnames="size")(x, 8)


@jax.jit
def _flagged(x, train: bool):
    return 2 * x if train else x  # expect: TL522


def bad_flag(x):
    return _flagged(x, True)


TRACES = {}


def traced(name):
    TRACES[name] = TRACES.get(name, 0) + 1


@partial(jax.jit, static_argnums=1)
def _static_step(x, step):
    traced("many_static_rounds")
    return x / (step + 1)


@jax.jit
def _traced_step(x, step):
    traced("once_traced_rounds")
    return x / (step + 1)


def many_static_rounds(x):
    for step in range(6):
        x = _static_step(x, step)  # expect: TL522
    return x


def once_traced_rounds(x):
    for step in range(6):
        x = _traced_step(x, step)
    return x


@partial(jax.jit, static_argnames="request")  # expect: TL522
def _insert(x, request: uuid.UUID):
    traced("many_requests")
    return x + 1


def many_requests(x):
    for _ in range(6):
        x = _insert(x, uuid.uuid4())
    return x


@jax.jit
def _noisy(x):
    return x + np.random.normal() + random.random() + time.time() % 1  # expect: TL524, TL524, TL524


def same_draws(x):
    return bool((_noisy(x) == _noisy(x)).all())


KEPT = []


@jax.jit
def _kept(x):
    KEPT.append(x)  # expect: TL524
    return x


def bad_kept(x):
    _kept(x)
    return KEPT[-1] + 1


class Trainer:
    def __init__(self):
        self.beta = 1.0

    @partial(jax.jit, static_argnums=0)
    def step(self, x):
        return x * self.beta  # expect: TL551

    def grow(self):
        self.beta = 2.0


def same_state(x):
    trainer = Trainer()
    before = trainer.step(x)
    trainer.grow()
    return bool((before == trainer.step(x)).all())
