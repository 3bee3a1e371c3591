"""Compilers that get their options once, and a name: what they are given counts as if they were called themselves."""

from functools import partial

import jax
import jax.numpy as jnp

pmap = partial(jax.pmap, axis_name="devices")
jit_static = partial(jax.jit, static_argnames=("size",))
jit_twice = partial(jit_static, donate_argnames=("state",))


def averaged(batches):
    for batch in batches:
        print(pmap(lambda x: jax.lax.pmean(x, "devices"))(batch))  # expect: TL521


def padded(batches, size):
    def pad(x, size):
        return jnp.pad(x, (0, size))

    for batch in batches:
        print(jit_static(lambda x, size: jnp.pad(x, (0, size)))(batch, size=size))  # expect: TL521
        print(jit_static(pad)(batch, size=size))


def stepped(batches, state):
    for batch in batches:
        state = jit_twice(lambda state, batch: state + batch)(state, batch)  # expect: TL521
    return state


def mean(x):
    return jax.lax.pmean(x, "devices")


def kept(batches):
    compiled = pmap(lambda x: jax.lax.pmean(x, "devices"))
    for batch in batches:
        print(compiled(batch), pmap(mean)(batch))


vmap = partial(jax.vmap, in_axes=(0, None))


def mapped(batches, scale):
    for batch in batches:
        print(vmap(lambda x, scale: x * scale)(batch, scale))
