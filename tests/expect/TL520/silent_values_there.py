"""Where values have numbers, or nobody knows what they are."""
# Modelled on pyro-ppl/numpyro (transforms, scan), vwxyzjn/cleanrl, AI-Hypercomputer/maxtext (train), google/brax (acting).

import jax
import jax.numpy as jnp
import numpy as np
from numpyro.util import not_jax_tracer


def energy(q):
    value = jnp.sum(q**2)
    if value > 10:
        return value * 2
    return max(value, 0.0)


force = jax.grad(energy)


class Affine:
    def __init__(self, scale):
        self.scale = scale

    @jax.jit
    def inverse(self, y: jax.Array):
        if not_jax_tracer(y) and np.all(np.less(y, 0)):
            return -y
        if isinstance(y, jax.core.Tracer):
            return y
        with jax.ensure_compile_time_eval():
            if jnp.sum(y) > 0:
                return y
        return y / self.scale


@jax.jit
def guarded(x):
    try:
        if x > 0:
            return x
    except jax.errors.TracerBoolConversionError:
        pass
    return jnp.where(x > 0, x, -x)


@jax.jit
def step(params, batch):
    return params - batch.mean(), jnp.abs(batch).max()


def train(params, batches, limit):
    best = jnp.inf
    for batch in batches:
        params, loss = step(params, batch)
        if loss < best:
            best = loss
        if jnp.isnan(loss) or loss > limit:
            break
        while loss > 2 * limit:
            params, loss = step(params, batch)
    assert best < limit
    return params if best > 0 else None


def host(value):
    return value if value > 0 else -value


@jax.jit
def called_back(x):
    return jax.pure_callback(host, jax.ShapeDtypeStruct(x.shape, x.dtype), x)


def factory(count, updates):
    rounds = jnp.round(count / updates)

    @jax.jit
    def epoch(x):
        if rounds > 1:
            return x * 2
        return x

    return epoch
