"""Keys that are used once, though they look used twice."""
# Modelled on AI-Hypercomputer/maxtext and google/flax, and on the idioms of vwxyzjn/cleanrl, ikostrikov/jaxrl and patrick-kidger/equinox.

import functools
import random

import jax
import jax.numpy as jnp
import numpy as np


def both_orders(key, rng, steps):
    for _ in range(steps):
        key, subkey = jax.random.split(key)
        new, rng = jax.random.split(rng)
        yield jax.random.normal(subkey) + jax.random.normal(new)


def twice_carried(rng, batch):
    rng, key = jax.random.split(rng)
    first = jax.random.permutation(key, batch)
    rng, key = jax.random.split(rng)
    return rng, first + jax.random.permutation(key, batch)


def folded(train_step, state, batches, init_rng):
    for step, batch in enumerate(batches):
        nextrng = jax.jit(jax.random.fold_in)(init_rng, step)
        state = train_step(state, batch, jax.random.fold_in(init_rng, step), nextrng)
    return state


def maybe(key, query, inference):
    if key is None or inference:
        return query
    keys = None if key is None else jax.random.split(key, 2)
    return query * jax.random.bernoulli(keys[0], 0.5, query.shape) + jax.random.normal(keys[1])


def exclusive(key, kind, shape):
    if kind == "normal":
        noise = jax.random.normal(key, shape)
    elif kind == "uniform":
        noise = jax.random.uniform(key, shape)
    else:
        noise = jnp.zeros(shape)
    return noise


def items(key, shapes):
    keys = jax.random.split(key, len(shapes))
    weights = [jax.random.normal(each, shape) for each, shape in zip(keys, shapes)]
    biases = [jax.random.normal(keys[index], (1,)) for index in range(0)]
    return weights, biases


def handed_out(key, shapes):
    keys = iter(jax.random.split(key, 4))
    first = jax.random.normal(next(keys), shapes[0])
    return first, jax.random.normal(next(keys), shapes[1])


class Policy:
    def __init__(self, seed):
        self.rng = jax.random.PRNGKey(seed)

    def act(self, observations):
        self.rng, key = jax.random.split(self.rng)
        actions = jax.random.normal(key, observations.shape)
        self.rng, key = jax.random.split(self.rng)
        return actions + jax.random.uniform(key, observations.shape)


def shapes_only(model, key, x):
    shapes = jax.eval_shape(model.init, key, x)
    return shapes, model.init(key, x)


def unknown_use(key, layer, head, x):
    return head(layer(x, key=key), key=key)


def drawn_by_others(seed, values):
    random.seed(seed)
    rng = np.random.default_rng(seed)
    return rng.normal(values), rng.normal(values), random.choice(values), random.choice(values)


def until_it_fits(key, fits):
    while True:
        key, subkey = jax.random.split(key)
        sample = jax.random.normal(subkey)
        if fits(sample):
            return sample


def one_round(key):
    for _ in range(1):
        sample = jax.random.normal(key)
    return sample


def scan_body(carry, _):
    state, rng = carry
    rng, step_rng, reset_rng = jax.random.split(rng, 3)
    state = state + jax.random.normal(step_rng) + jax.random.normal(reset_rng)
    return (state, rng), state


def unrolled(state, rng, rounds):
    for _ in range(rounds):
        rng, round_rng = jax.random.split(rng)
        (state, _), _ = jax.lax.scan(scan_body, (state, round_rng), None, length=16)
    return state


def evaluated_now_and_then(train, evaluate, params, rng, eval_rng, steps):
    for step in range(steps):
        rng, sub = jax.random.split(rng)
        params = train(params, sub)
        if step % 100 == 0:
            print(jax.random.normal(eval_rng) + evaluate(params))
    return params


def both_policies(compute, params, reference, batch, rng, noise):
    ours = compute({"params": params}, batch, rngs={"dropout": rng})
    theirs = compute({"params": reference}, batch, rngs={"dropout": rng})
    return ours - theirs + noise


def annotations(model, rng, x):
    def initial():
        return model.init({"params": rng}, x)

    return jax.eval_shape(initial)


def shapes(model, config, rng, x):
    def initial(model, config):
        return model.init({"params": rng, "dropout": rng}, x, config)

    return jax.eval_shape(functools.partial(initial, model, config))


def both_annotations(model, key, x):
    return annotations(model, key, x), annotations(model.body, key, x), jax.random.normal(key)


def get_fake_batch(size):
    rng = jax.random.key(0)
    return jax.random.normal(rng, (size,)), jax.random.randint(rng, (size,), 0, 10)


def get_weight_sharding(model, x):
    key = jax.random.key(0)
    weights = model.init({"params": key, "dropout": key}, x)
    return jax.tree.map(lambda leaf: leaf.sharding, weights)
