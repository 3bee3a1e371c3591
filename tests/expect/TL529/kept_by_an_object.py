"""A state that an object or a dict holds, too, and that is read there after it was given away."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=(0,))
def update(params, batch):
    return params - 0.1 * jnp.mean(batch, axis=0)


class Snapshot:
    def __init__(self, params, step):
        self.params = params
        self.step = step


def copied(params):
    return jnp.array(params)


def advance(params, batch, step):
    before = Snapshot(params, step)
    new = update(before.params, batch)
    return new, jnp.linalg.norm(params)  # expect: TL529


def advance_logged(params, batch, step):
    record = {"params": params, "step": step}
    new = update(params, batch)
    return new, jnp.linalg.norm(record["params"])  # expect: TL529


def advance_kept(params, batch, step):
    before = Snapshot(copied(params), step)
    new = update(params, batch)
    return new, jnp.linalg.norm(new - before.params)
