"""What a compiled function does beside computing: prints, puts away, draws on the host, reads the clock."""

import random
import time
from dataclasses import dataclass
from functools import partial
from pprint import pprint

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np

LOSSES = []
LAST = None


@jax.jit
def prints(x):
    print(x)  # expect: TL524
    return x


@jax.jit
def prints_with_a_text(x):
    print("value", x.sum())  # expect: TL524
    return x


@jax.jit
def prints_formatted(x):
    print(f"value {x.sum()}")  # expect: TL524
    return x


@jax.jit
def prints_at_the_end(x):
    print(x, end="")  # expect: TL524
    return x


@jax.jit
def prints_a_shape(x):
    """What is known while tracing may be printed while tracing."""
    print("tracing for", x.shape)
    return x


@jax.jit
def prints_formatted_shape(x):
    print(f"tracing for {x.shape}")
    return x


@jax.jit
def prints_by_jax(x):
    jax.debug.print("{}", x)
    return x


@jax.jit
def prints_pretty(x):
    pprint(x)  # expect: TL524
    return x


@jax.jit
def shows(x, show):
    """What is handed in may show it at each call."""
    show(x)
    return x


@jax.jit
def puts_away(x):
    LOSSES.append(x.mean())  # expect: TL524
    return x


@jax.jit
def puts_away_a_shape(x):
    LOSSES.append(x.shape)
    return x


@jax.jit
def puts_into_its_own(x):
    parts = []
    for row in range(3):
        parts.append(x[row])
    return jnp.stack(parts)


@jax.jit
def puts_into_what_it_is_given(x, parts):
    parts.append(x)
    return x


@jax.jit
def sets_a_global(x):
    global LAST
    LAST = x * 2  # expect: TL524
    return x


def around(xs):
    kept = []

    @jax.jit
    def step(x):
        kept.append(x * 2)  # expect: TL524
        return x

    return [step(x) for x in xs], kept


def around_a_gradient(x, y):
    """Under ``grad`` alone Python runs at each call."""
    kept = []

    def loss(p):
        kept.append(p.shape)
        return (p - y).sum()

    return jax.grad(loss)(x), kept


def around_a_jitted_helper(x):
    """A list of the function that calls it, in the same trace."""
    kept = []

    def helper(y):
        kept.append(y * 2)
        return y

    return helper(x), kept


@jax.jit
def traces_around(x):
    return around_a_jitted_helper(x)


class Agent:
    def __init__(self):
        self.last = None
        self.parts = []

    @partial(jax.jit, static_argnums=0)
    def act(self, x):
        self.last = x * 2  # expect: TL524
        return x

    @partial(jax.jit, static_argnums=0)
    def collect(self, x):
        self.parts.append(x * 2)  # expect: TL524
        return x

    @partial(jax.jit, static_argnums=0)
    def shaped(self, x):
        self.last = x.shape
        return x

    @partial(jax.vmap, in_axes=(None, 0))
    def mapped(self, x):
        """Under ``vmap`` alone Python runs at each call, though what it keeps is traced."""
        self.last = x.shape
        return x

    def __call__(self, x):
        self.last = x * 2
        return x


class Model(nn.Module):
    @nn.compact
    def __call__(self, x: jax.Array):
        """Flax takes its modules apart."""
        self.sow("intermediates", "x", x)
        return x


@jax.tree_util.register_pytree_node_class
class Registered:
    def __init__(self):
        self.last = None

    @jax.jit
    def act(self, x):
        """JAX takes the object apart: what is set is set on a copy."""
        self.last = x * 2
        return x, self


@dataclass
class Record:
    last: object = None

    @partial(jax.jit, static_argnums=0)
    def act(self, x):
        self.last = x * 2
        return x


class Derived(Agent):
    @partial(jax.jit, static_argnums=0)
    def act(self, x):
        self.last = x * 3
        return x


class Plain(object):
    @partial(jax.jit, static_argnums=0)
    def act(self, x):
        self.last = x * 3  # expect: TL524
        return x


@jax.jit
def draws(x):
    return x + np.random.normal()  # expect: TL524


@jax.jit
def draws_by_random(x):
    return x + random.random()  # expect: TL524


@jax.jit
def seeds(x):
    """A seed draws nothing."""
    np.random.seed(3)
    return x


@jax.jit
def draws_by_generator(x, generator):
    return x + generator.normal()


@jax.jit
def computes_on_host(x):
    return x * np.sqrt(2.0)


@jax.jit
def reads_the_clock(x):
    return x + time.time()  # expect: TL524


@jax.jit
def init_weights(x):
    """Its name says that it runs once."""
    return x + np.random.normal(size=3)


def drawn_by_a_helper(x):
    return x + np.random.normal()  # expect: TL524


@jax.jit
def by_helper(x):
    return drawn_by_a_helper(x)


def not_traced(x):
    print(x)
    LOSSES.append(x)
    return x + np.random.normal()


@jax.vmap
def mapped_only(x):
    """Not compiled: Python draws at each call, once for all examples."""
    return x + np.random.normal()
