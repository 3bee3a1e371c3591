"""Arguments that have to be static, and the ways to say that they are."""

import functools
from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp

STATIC = (1,)
NAMES = ("rows",)
OPTIONS = {"static_argnums": (1,)}


@jax.jit
def plain(x, rows):
    return jnp.zeros((rows, 4)) + x  # expect: TL522


@partial(jax.jit, static_argnums=1)
def by_number(x, rows):
    return jnp.zeros((rows, 4)) + x


@partial(jax.jit, static_argnums=-1)
def by_number_from_the_end(x, rows):
    return jnp.zeros((rows, 4)) + x


@partial(jax.jit, static_argnums=(0, 2))
def by_other_numbers(kind, rows, mode):
    return jnp.zeros((rows, 4))  # expect: TL522


@partial(jax.jit, static_argnums=STATIC)
def by_constant(x, rows):
    return jnp.zeros((rows, 4)) + x


@partial(jax.jit, static_argnums=(5,))
def beyond_the_parameters(x, rows):
    return jnp.zeros((rows, 4)) + x  # expect: TL522


@partial(jax.jit, static_argnames=NAMES)
def by_names_of_constant(x, rows):
    return jnp.zeros((rows, 4)) + x


@partial(jax.jit, **OPTIONS)
def by_options(x, rows):
    return jnp.zeros((rows, 4)) + x


@partial(jax.jit, static_argnames=["columns"])
def by_another_name(x, rows, columns):
    return jnp.zeros((rows, columns)) + x  # expect: TL522


def configured(numbers):
    """Which arguments are static the caller says."""

    @partial(jax.jit, static_argnums=numbers)
    def step(x, rows):
        return jnp.zeros((rows, 4)) + x

    return step


def configured_names(settings):
    @partial(jax.jit, static_argnames=settings.static_names)
    def step(x, rows):
        return jnp.zeros((rows, 4)) + x

    return step


def configured_by_range(count):
    return jax.jit(spread, static_argnums=tuple(range(1, count)))


def spread(x, rows):
    return jnp.zeros((rows, 4)) + x


@jax.jit
def reshaped(x, rows):
    return x.reshape(rows, -1)  # expect: TL522


@jax.jit
def reshaped_by_itself(x):
    return x.reshape(x.shape[0], -1)


@jax.jit
def summed(x, axis):
    return jnp.sum(x, axis=axis)  # expect: TL522


@jax.jit
def filled(x, rows):
    return jnp.full(shape=(rows, 3), fill_value=x)  # expect: TL522


@jax.jit
def filled_with(x, value):
    return jnp.full(shape=(2, 3), fill_value=value) + x


@jax.jit
def in_rounds(x, rounds):
    for _ in range(rounds):  # expect: TL522
        x = x * 2
    return x


@jax.vmap
def mapped(x, rows):
    """Under ``vmap`` there are no static arguments: an error, but another cure."""
    return jnp.zeros((3, 4)) + x + rows


@eqx.filter_jit
def filtered(x, rows):
    """What is no array is static there."""
    return jnp.zeros((rows, 4)) + x


class Sampler:
    @partial(jax.jit, static_argnums=(0, 2))
    def draw(self, key, count):
        return jax.random.normal(key, (count, 3))

    @partial(jax.jit, static_argnums=0)
    def draw_traced(self, key, count):
        return jax.random.normal(key, (count, 3))  # expect: TL522


def bound(rows, x):
    return jnp.zeros((rows, 4)) + x


step = jax.jit(functools.partial(bound, 4))
named_step = jax.jit(functools.partial(bound, rows=4))


def unbound(rows, x):
    return jnp.zeros((rows, 4)) + x  # expect: TL522


unbound_step = jax.jit(unbound)


@jax.jit
def with_default(x, rows=4):
    """Nobody gives it: it keeps its default, which is static."""
    return jnp.zeros((rows, 4)) + x


@jax.jit
def with_default_given(x, rows=4):
    return jnp.zeros((rows, 4)) + x  # expect: TL522


@jax.jit
def with_default_given_none(x, axis=None):
    """None is nothing that is traced."""
    return jnp.sum(x, axis=axis)


def train(x):
    a = with_default(x)
    b = with_default_given(x, 8)
    c = with_default_given_none(x, None)
    return a, b, c


@jax.jit
def inner_helper(x, rows):
    return tile_by(x, rows)


def tile_by(x, count):
    return jnp.tile(x, (count, 1))  # expect: TL522
