"""Static arguments that change from call to call: the number of the round, what callers choose, what is new each time."""

import datetime
import functools
import uuid
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnums=1)
def at(params, index):
    return params * index


def by_number(params):
    for index in range(1000):
        params = at(params, index)  # expect: TL522
    return params


def by_enumerate(params, batches):
    for index, batch in enumerate(batches):
        params = at(params + batch, index)  # expect: TL522
    return params


def by_second_of_enumerate(params, sizes):
    """The sizes are the caller's, and there may be a few of them."""
    for index, size in enumerate(sizes):
        params = at(params, size)
    return params


def by_zip(params, sizes, batches):
    for size, batch in zip(sizes, batches):
        params = at(params + batch, size)
    return params


def by_item(params, sizes):
    for size in sizes:
        params = at(params, size)
    return params


def by_counter(params, batches):
    step = 0
    for batch in batches:
        params = at(params + batch, step)  # expect: TL522
        step = step + 1
    return params


def by_doubling(params, batches):
    """A power of two grows out of sight at once: there are few of them."""
    size = 1
    for batch in batches:
        params = at(params + batch, size)
        size = size * 2
    return params


def by_what_is_left(params, batches):
    """What the loop carries is no count."""
    size = 1
    for batch in batches:
        params = at(params + batch, size)
        size = batch.shape[0]
    return params


def by_counter_of_rounds(params, batches):
    step = 0
    while step < 1000:
        params = at(params, step)  # expect: TL522
        step += 1
    return params


def behind_the_loop(params, batches):
    step = 0
    for batch in batches:
        step = step + 1
    return at(params, step)


def in_few_rounds(params):
    for index in (1, 2, 3):
        params = at(params, index)
    return params


def in_another_loop(params, batches):
    """Each round asks for the same three numbers."""
    for batch in batches:
        params = at(params, 3)
    return params


def in_a_comprehension(params):
    return [at(params, index) for index in range(1000)]  # expect: TL522


def test_at(params):
    for index in range(1000):
        params = at(params, index)  # expect: TL522
    return params


@partial(jax.jit, static_argnames="rate")  # expect: TL522
def rated_by_knob(params, rate):
    return params * rate


def turns_the_knob(params, rate=0.1):
    return rated_by_knob(params, rate=rate)


@partial(jax.jit, static_argnames="rounds")
def rated_by_number(params, rounds):
    return params * rounds


def turns_a_number(params, rounds=3):
    """A whole number is a size more often than a knob."""
    return rated_by_number(params, rounds=rounds)


@partial(jax.jit, static_argnames="rate")
def rated_by_required(params, rate):
    return params * rate


def hands_on(params, rate):
    return rated_by_required(params, rate=rate)


@partial(jax.jit, static_argnames="rate")
def rated_by_constant(params, rate):
    return params * rate


def hands_a_constant(params):
    return rated_by_constant(params, rate=0.3)


@partial(jax.jit, static_argnames="rate")
def asks_for_it(params, rate):
    if rate > 0.5:
        return params
    return params * rate


def turns_what_is_asked(params, rate=0.1):
    return asks_for_it(params, rate=rate)


@partial(jax.jit, static_argnames="rate")
def gives_it_away(params, rate, layer):
    return layer(params, rate)


def turns_what_is_given_away(params, layer, rate=0.1):
    return gives_it_away(params, rate=rate, layer=layer)


@partial(jax.jit, static_argnames="rate")  # expect: TL522
def computes_with_it(params, rate):
    return jnp.multiply(params, rate) + jnp.exp(rate)


def turns_what_is_computed(params, rate=0.1):
    return computes_with_it(params, rate=rate)


def inner_scale(params, factor):
    return params * factor


@partial(jax.jit, static_argnames="rate")  # expect: TL522
def hands_it_on(params, rate):
    return inner_scale(params, rate)


def turns_what_is_handed_on(params, rate=0.1):
    return hands_it_on(params, rate=rate)


def inner_asks(params, factor):
    if factor > 0.5:
        return params
    return params * factor


@partial(jax.jit, static_argnames="rate")
def hands_it_to_one_that_asks(params, rate):
    return inner_asks(params, rate)


def turns_what_is_asked_inside(params, rate=0.1):
    return hands_it_to_one_that_asks(params, rate=rate)


@partial(jax.jit, static_argnames="rate")
def computes_first(params, rate):
    return inner_asks(params, rate * 2)


def turns_what_is_computed_first(params, rate=0.1):
    return computes_first(params, rate=rate)


@partial(jax.jit, static_argnums=1)  # expect: TL522
def by_identity(params, run: uuid.UUID):
    return params


@partial(jax.jit, static_argnums=1)  # expect: TL522
def by_time(params, when: datetime.datetime | None):
    return params


@partial(jax.jit, static_argnums=1)
def by_kind(params, kind: str):
    return params


@partial(jax.jit, static_argnums=1)
def by_day(params, day: datetime.timedelta):
    return params


@functools.partial(jax.jit, static_argnums=(0, 1))
def by_own_type(table: "Table", params):
    return params


class Table:
    @partial(jax.jit, static_argnums=(0, 2))
    def scaled(self, params, index):
        return params * index

    def run(self, params):
        for index in range(1000):
            params = self.scaled(params, index)  # expect: TL522
        return params


step_at = jax.jit(inner_scale, static_argnums=1)


def by_kept(params):
    for index in range(1000):
        params = step_at(params, index)  # expect: TL522
    return params


def by_spread(params, rest):
    for index in range(1000):
        params = step_at(params, *rest)
    return params
