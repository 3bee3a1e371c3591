"""Keys that are used up, and used again on the same way."""
# Modelled on AI-Hypercomputer/maxtext, dunnolab/xland-minigrid, google-research/big_vision, google/maxdiffusion.

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax.nn import initializers as init


def prefill(engine, params, state, rng):
    rng, rng_prefill = jax.random.split(rng)
    return engine.prefill(params, state, rng=rng_prefill)


def generate(engine, params, state, rng):
    def one(carry, _):
        rng, state = carry
        rng, rng_generate = jax.random.split(rng)
        return (rng, engine.generate(params, state, rng=rng_generate)), None

    return jax.lax.scan(one, init=(rng, state), xs=None, length=8)


def complete(engine, params, state, rng):
    rng, rng_load = jax.random.split(rng)
    state = engine.load(rng_load, state)
    state = jax.jit(functools.partial(prefill, engine, params), donate_argnums=(0,))(state, rng)
    return jax.jit(functools.partial(generate, engine, params))(state, rng)  # expect: TL523


class Safety:
    def init_weights(self, rng, shape):
        clip_input = jax.random.normal(rng, shape)
        params_rng, dropout_rng = jax.random.split(rng)  # expect: TL523
        return self.module.init({"params": params_rng, "dropout": dropout_rng}, clip_input)


def sampled(model, params, batch, train_rng):
    rng_mask, local_rng = jax.random.split(train_rng)
    rng_dropout, _ = jax.random.split(local_rng)
    logits = model.apply({"params": params}, batch, rngs={"dropout": rng_dropout, "mask": rng_mask})
    rng_sample, _ = jax.random.split(local_rng, 2)  # expect: TL523
    return jax.random.categorical(rng_sample, logits)


def dense(key, width):
    kernel = init.lecun_normal()(key, (width, width))
    return kernel, init.normal(0.02)(key, (width,))  # expect: TL523


def with_a_default(x, rng=None):
    if rng is None:
        rng = jax.random.PRNGKey(np.random.randint(100))
    scale = jax.random.uniform(rng, ())
    return x * scale + jax.random.normal(rng, x.shape)  # expect: TL523


def in_one_branch(key, x, noisy):
    shift = jax.random.normal(key, x.shape)
    if noisy:
        x = x + jax.random.uniform(key, x.shape)  # expect: TL523
    return jnp.dot(x, shift)
