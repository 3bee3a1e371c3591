"""Attributes and globals that compiled functions look at, and who changes them."""

import dataclasses
from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp

temperature = 1.0
steady = 1.0
table = (1.0, 2.0)
mode = "train"
limit = 3
level = 2


@jax.jit
def sample(logits):
    return logits / temperature  # expect: TL551


def cool():
    global temperature
    temperature = 0.5


@jax.jit
def steadily(logits):
    return logits / steady


def stay():
    global steady
    steady = 1.0


@jax.jit
def by_table(logits):
    return logits * table


def exchange():
    global table
    table = (3.0, 4.0)


@jax.jit
def by_mode(logits):
    if mode == "train":  # expect: TL551
        return logits * 2
    return logits


def evaluate():
    global mode
    mode = "test"


@jax.jit
def by_limit(logits):
    return logits * limit


def forget():
    """What was compiled is let go."""
    global limit
    limit = 4
    by_limit.clear_cache()


@jax.jit
def by_level(logits):
    """It sets it itself, while it is traced."""
    global level
    level = 3
    return logits * level


class Agent:
    def __init__(self, rate):
        self.rate = rate
        self.scale = 1.0
        self.name = "agent"
        self.table = [1.0]
        self.kept = 2.0
        self.set_outside = 1.0
        self.same = 1.0
        self.counted = 0

    @partial(jax.jit, static_argnums=0)
    def by_scale(self, params):
        return params * self.scale  # expect: TL551

    @partial(jax.jit, static_argnums=0)
    def by_kept(self, params):
        return params * self.kept

    @partial(jax.jit, static_argnums=0)
    def by_same(self, params):
        return params * self.same

    @partial(jax.jit, static_argnums=0)
    def by_outside(self, params):
        return params * self.set_outside  # expect: TL551

    @partial(jax.jit, static_argnums=0)
    def by_table(self, params):
        return params * self.table

    @partial(jax.jit, static_argnums=0)
    def by_rate(self, params):
        return params * self.rate  # expect: TL551

    @partial(jax.jit, static_argnums=0)
    def count(self, params):
        return params * self.counted  # expect: TL551

    def grow(self):
        self.scale = 2.0
        self.same = 1.0
        self.table = [2.0]

    def decay(self):
        self.rate = 0.5

    def round(self):
        self.counted += 1

    def renew(self):
        self.kept = 3.0
        Agent.by_kept.clear_cache()


def tune(params):
    agent = Agent(0.1)
    agent.set_outside = 2.0
    return agent.by_outside(params)


def tune_another(other):
    """Whose attribute this is nobody sees."""
    other.name = "another"
    return other


class Traced:
    def __init__(self):
        self.scale = 1.0

    @partial(jax.jit, static_argnums=0)
    def step(self, params):
        return params * self.scale

    @partial(jax.jit, static_argnums=0)
    def grow(self, params):
        self.scale = 2.0
        return params


class Hashed:
    def __init__(self):
        self.scale = 1.0

    def __hash__(self):
        return hash(self.scale)

    @partial(jax.jit, static_argnums=0)
    def step(self, params):
        return params * self.scale

    def grow(self):
        self.scale = 2.0


@dataclasses.dataclass
class Record:
    """What its decorator makes of it nobody looks at."""

    def setup(self):
        self.scale = 1.0

    @partial(jax.jit, static_argnums=0)
    def step(self, params):
        return params * self.scale

    def grow(self):
        self.scale = 2.0


class Model(eqx.Module):
    """JAX takes it apart."""

    def __init__(self):
        self.scale = 1.0

    @jax.jit
    def step(self, params):
        return params * self.scale

    def grow(self):
        self.scale = 2.0


class Compiled:
    def __init__(self):
        self.scale = 1.0
        self.step = jax.jit(self.body)

    def body(self, params):
        return params * self.scale  # expect: TL551

    def grow(self):
        self.scale = 2.0


class CompiledEachTime:
    def __init__(self):
        self.scale = 1.0

    def body(self, params):
        return params * self.scale

    def step(self, params):
        return jax.jit(self.body)(params)

    def grow(self):
        self.scale = 2.0


class Unset:
    """Nothing is set where it begins."""

    @partial(jax.jit, static_argnums=0)
    def step(self, params):
        return params * self.scale

    def grow(self):
        self.scale = 2.0


class Handing:
    def __init__(self):
        self.scale = 1.0

    @partial(jax.jit, static_argnums=0)
    def step(self, params):
        return jnp.multiply(params, self.scale)  # expect: TL551

    def grow(self):
        self.scale = 2.0
