"""Keys that are the same in every round of a loop."""
# Modelled on google/flax (lm1b), AI-Hypercomputer/maxtext (grpo_trainer, decode), google/uncertainty-baselines, dunnolab/xland-minigrid.

import functools

import jax
import jax.numpy as jnp
from jax import lax
from jax import random as jrandom


def loss_of(apply, params, batch, dropout_rng):
    return apply({"params": params}, batch, rngs={"dropout": dropout_rng}).mean()


def train_step(state, batch, learning_rate_fn, dropout_rng=None):
    def loss_fn(params):
        return loss_of(state.apply_fn, params, batch, dropout_rng)

    grads = lax.pmean(jax.grad(loss_fn)(state.params), axis_name="batch")
    return state.apply_gradients(grads=grads), learning_rate_fn(state.step)


def main(state, batches, learning_rate_fn):
    rng = jrandom.PRNGKey(0)
    keys = jrandom.split(rng, jax.local_device_count() + 1)
    rng, dropout_rngs = keys[0], keys[1:]
    p_train_step = jax.pmap(functools.partial(train_step, learning_rate_fn=learning_rate_fn), axis_name="batch")
    for step, batch in zip(range(100), batches):
        state, rate = p_train_step(state, batch, dropout_rng=dropout_rngs)  # expect: TL523
        if step % 10 == 0:
            print(step, rate)
    return state


def never_carried_on(p_train_step, state, batches, init_rng):
    for batch in batches:
        train_rng, _ = jrandom.split(init_rng)  # expect: TL523
        state = p_train_step(state, batch, train_rng)
    return state


def scanned(carry, x):
    total, rng = carry
    rng, sub = jrandom.split(rng)
    return (total + jrandom.normal(sub) * x, rng), None


def rollouts(worlds, rng, xs):
    results = []
    for _ in worlds:
        (total, _), _ = lax.scan(scanned, (0.0, rng), xs)  # expect: TL523
        results.append(total)
    return results


def layers(key, width, depth):
    return [jrandom.normal(key, (width, width)) / jnp.sqrt(width) for _ in range(depth)]  # expect: TL523


def until(params, key, converged):
    while not converged(params):
        params = params + jrandom.normal(key, params.shape)  # expect: TL523
    return params


def episode(world, key):
    for _ in range(100):
        key, sub = jrandom.split(key)
        world.step(jrandom.normal(sub, (3,)))


def episodes(world, key, count):
    for _ in range(count):
        episode(world, key)  # expect: TL523


def own_episodes(world, key, count):
    for _ in range(count):
        key, sub = jrandom.split(key)
        episode(world, sub)


def tried(world, key, count):
    for _ in range(count):
        for _ in range(3):
            key, sub = jrandom.split(key)
            world.step(jrandom.normal(sub, (3,)))


def tries(world, key):
    while not world.done():
        tried(world, key, 2)  # expect: TL523


def with_another(world, key, other):
    for _ in range(100):
        other, sub = jrandom.split(other)
        world.step(jrandom.normal(sub, (3,)))
    return key


def with_others(world, key, others):
    for other in others:
        with_another(world, key, other)
