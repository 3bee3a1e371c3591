"""The number of a round with something added to it, or under another name, is another number in each round as well."""

from functools import partial

import jax


@partial(jax.jit, static_argnums=1)
def at(params, index):
    return params * index


def shifted(params):
    for index in range(1000):
        params = at(params, index + 1)  # expect: TL522
    return params


def named(params, batches):
    for step, batch in enumerate(batches, start=1):
        number = step - 1
        params = at(params + batch, number)  # expect: TL522
    return params


def fixed(params, batches):
    for batch in batches:
        params = at(params + batch, 3)
    return params
