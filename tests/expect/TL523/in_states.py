"""Keys in the fields of states: dataclasses and named tuples that each step hands on."""

from typing import NamedTuple, Any
import jax
import jax.numpy as jnp
import flax
from flax import struct


class TrainState(NamedTuple):
    params: Any
    key: jax.Array


@struct.dataclass
class State:
    params: Any
    rng: jax.Array


def step(state: TrainState, batch):
    noise = jax.random.normal(state.key, batch.shape)
    mask = jax.random.bernoulli(state.key, 0.5, batch.shape)  # expect: TL523
    return state._replace(params=state.params + noise.mean() * mask.mean())


def step2(state: State, batch):
    k1, k2 = jax.random.split(state.rng)
    noise = jax.random.normal(k1, batch.shape)
    mask = jax.random.bernoulli(k1, 0.5, batch.shape)  # expect: TL523
    return state.replace(params=state.params + noise.mean() * mask.mean(), rng=k2)


def step3(state: State, batch):
    noise = jax.random.normal(state.rng, batch.shape)
    return state.replace(params=state.params + noise.mean())


def step_good(state: State, batch):
    rng, k = jax.random.split(state.rng)
    noise = jax.random.normal(k, batch.shape)
    return state.replace(params=state.params + noise.mean(), rng=rng)


def train(batches):
    state = State(params=jnp.zeros(3), rng=jax.random.PRNGKey(0))
    f = jax.jit(step3)
    for b in batches:
        state = f(state, b)  # expect: TL523
    t = TrainState(jnp.zeros(3), jax.random.PRNGKey(0))
    for b in batches:
        t = step(t, b)  # expect: TL523
    g = jax.jit(step_good)
    for b in batches:
        state = step_good(state, b)
    for b in batches:
        state = step2(state, b)
