"""Objects that are handed through traces, models that are applied, and what runs of a function in a trace."""

import contextlib
import functools
from typing import Any, NamedTuple

import flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class State(NamedTuple):
    step: Any
    params: Any


class Plain:
    """Nobody has told JAX what is in it."""

    level: Any

    def __init__(self, level):
        self.level = level


@flax.struct.dataclass
class Config:
    scale: jnp.ndarray
    limit: float = flax.struct.field(pytree_node=False)
    rate: float = flax.struct.field(pytree_node=True)
    depth: float = 3.0


class Wider(State):
    """With more methods."""

    def rows(self):
        return self.params.shape[0]


@jax.jit
def of_named_tuple(state: State, x):
    if state.step > 3:  # expect: TL520
        return x
    return -x


@jax.jit
def of_plain(state: Plain, x):
    if state.level > 3:
        return x
    return -x


@jax.jit
def of_field(config: Config, x):
    if config.scale > 3:  # expect: TL520
        return x
    return -x


@jax.jit
def of_static_field(config: Config, x):
    if config.limit > 3:
        return x
    return -x


@jax.jit
def of_traced_field(config: Config, x):
    if config.rate > 3:  # expect: TL520
        return x
    return -x


@jax.jit
def of_field_with_default(config: Config, x):
    if config.depth > 3:  # expect: TL520
        return x
    return -x


@jax.jit
def of_unknown_field(config: Config, x):
    """A property, perhaps, of what is static."""
    if config.width > 3:
        return x
    return -x


@jax.jit
def of_derived(state: Wider, x):
    if state.step > 3:  # expect: TL520
        return x
    return -x


@jax.jit
def of_either(state: "State | None", x):
    if state is None:
        return x
    return -x


@functools.partial(jax.grad, argnums=1)
def by_second(x, y: jax.Array):
    """Under ``grad`` alone values have numbers."""
    if y.sum() > 0:
        return x.sum()
    return y.sum()


@functools.partial(jax.vmap, in_axes=(None, 0))
def mapped_second(scale, x):
    if scale > 0:
        return x
    if x.sum() > 0:  # expect: TL520
        return -x
    return x


@functools.partial(jax.vmap, in_axes=0)
def mapped_all(scale, x):
    if scale.sum() > 0:  # expect: TL520
        return x
    return -x


@functools.partial(jax.vmap, in_axes=None, axis_size=3)
def mapped_none(scale, x):
    if scale > 0:
        return x
    return -x


def mapped_by_setting(axes):
    return jax.vmap(by_setting, in_axes=axes)


def by_setting(scale, x):
    """Which of them is mapped nobody sees."""
    if scale > 0:
        return x
    return -x


def mapped_by_position():
    return jax.vmap(first_mapped, (0, None))


def first_mapped(x, scale):
    if scale > 0:
        return x
    if x.sum() > 0:  # expect: TL520
        return -x
    return x


@jax.jit
def in_attempt(x):
    """What fails there is caught."""
    try:
        if x.sum() > 0:
            return x
    except jax.errors.TracerBoolConversionError:
        pass
    return -x


@jax.jit
def in_attempt_without_handler(x):
    try:
        if x.sum() > 0:  # expect: TL520
            return x
    finally:
        print("done")
    return -x


@jax.jit
def in_a_block(x):
    with jax.named_scope("clip"):
        if x.sum() > 0:  # expect: TL520
            return x
    return -x


@jax.jit
def in_a_concrete_block(x):
    with jax.ensure_compile_time_eval():
        if x.sum() > 0:
            return x
    return -x


@jax.jit
def in_a_block_of_nothing(x):
    with contextlib.nullcontext():
        if x.sum() > 0:  # expect: TL520
            return x
    return -x


@jax.jit
def asks_first(x):
    if not isinstance(x, jax.core.Tracer):
        return x if x.sum() > 0 else -x
    return x


def helper(x, given=None):
    if given is None:
        return x
    if x.sum() > given:  # expect: TL520
        return x
    return -x


def helper_alone(x, given=None):
    if given is not None:
        if x.sum() > given:
            return x
    return -x


@jax.jit
def by_helpers(x):
    return helper(x, x.mean()) + helper_alone(x)


@jax.jit
def generated(xs):
    """A function that hands out runs when somebody asks."""
    for x in xs:
        if x.sum() > 0:
            yield x


class Net(nn.Module):
    def __call__(self, x: jax.Array):
        if x.sum() > 0:  # expect: TL520
            return x
        return -x


class Quiet(nn.Module):
    def __call__(self, x: "Any", width: int = 3):
        if x.sum() > 0:
            return x
        return -x


class NoModel:
    def __call__(self, x: jax.Array):
        if x.sum() > 0:
            return x
        return -x


class Late(nn.Module):
    def __call__(self, x):
        if x.sum() > 0:  # expect: TL520
            return x
        return -x


class Beside(nn.Module):
    def __call__(self, x):
        if x.sum() > 0:
            return x
        return -x

    def other(self, x):
        return x


@jax.jit
def applies(params, x):
    return Late().apply(params, x)


@jax.jit
def applies_beside(params, x):
    return Beside().apply(params, x, method=Beside.other)


def scanned(xs):
    def body(carry, x):
        if carry > 0:  # expect: TL520
            return carry, x
        return -carry, x

    return jax.lax.scan(body, jnp.zeros(()), xs)
