"""Keys that are used twice, and their neighbours: branches, attempts, parts, names, loops that end, functions that compare."""

import functools

import jax
import jax.numpy as jnp
from flax import linen as nn
from jax import random


def twice(key, shape):
    first = random.normal(key, shape)
    return first + random.uniform(key, shape)  # expect: TL523


def by_keyword(key, shape):
    first = random.normal(key=key, shape=shape)
    return first + random.uniform(shape=shape, key=key)  # expect: TL523


def another_keyword(key, shape):
    """Which distribution it is, an option says, not a key."""
    first = random.normal(key, shape, dtype=jnp.float32)
    return first, shape


def from_attribute(self, shape):
    """An attribute may have changed in between."""
    first = random.normal(self.key, shape)
    return first + random.uniform(self.key, shape)


def in_attempt(key, shape):
    """One of them runs where the other failed."""
    try:
        return random.normal(key, shape)
    except ValueError:
        return random.uniform(key, shape)


def part_by_number(key, shape):
    keys = random.split(key, 2)
    first = random.normal(keys[0], shape)
    return first + random.uniform(keys[0], shape)  # expect: TL523


def part_by_index(key, shape, index):
    """Which part it is nobody sees, but it is one in both."""
    keys = random.split(key, 2)
    first = random.normal(keys[0], shape)
    return first + random.uniform(keys[1], shape)


def chosen(key, shape, other=None):
    either = key if other is None else other
    first = random.normal(either, shape)
    return first + random.uniform(either, shape)  # expect: TL523


def chosen_from_attribute(settings, shape, other=None):
    """One side of the choice may have changed in between."""
    first = random.normal(settings.key if other is None else other, shape)
    return first + random.uniform(settings.key if other is None else other, shape)


def under_a_test_first(key, shape, wide):
    first = 0.0
    if wide:
        first = random.normal(key, shape)
    return first + random.uniform(key, shape)  # expect: TL523


def under_other_tests(key, shape, wide, deep):
    """Whether both run nobody knows."""
    out = 0.0
    if wide:
        out = random.normal(key, shape)
    if deep:
        out = random.uniform(key, shape)
    return out


def draws(key, shape):
    return random.normal(key, shape)


def uses_both(key, shape):
    a = draws(key, shape)
    return a + random.uniform(key, shape)  # expect: TL523


def compares(key, shape):
    """One function runs twice with one key: the same noise for both."""
    return draws(key, shape), draws(key, shape)


def sampled(key, shape):
    return random.uniform(key, shape)


def uses_two(key, shape):
    return draws(key, shape) + sampled(key, shape)  # expect: TL523


def two_models(model, params, old, batch, key):
    """One model, two sets of weights."""
    new = model.apply(params, batch, rngs={"dropout": key})
    return new - model.apply(old, batch, rngs={"dropout": key})


def two_kinds_of_models(model, teacher, params, batch, key):
    new = model.apply(params, batch, rngs={"dropout": key})
    return new - teacher.apply(params, batch, rngs={"dropout": key})  # expect: TL523


def model_and_noise(model, params, batch, key):
    new = model.apply(params, batch, rngs={"dropout": key})
    return new + random.normal(key, new.shape)  # expect: TL523


def one_kind(model, key, batch):
    return model.init({"params": key}, batch)


def two_kinds(model, key, batch):
    return model.init({"params": key, "dropout": key}, batch)  # expect: TL523


def kinds_spread(model, key, batch, more):
    """What else is in the dict nobody sees."""
    return model.init({"params": key, **more}, batch)


def kinds_by_name(model, key, batch, kind):
    return model.init({"params": key, kind: random.fold_in(key, 1)}, batch)


def added(key, shape):
    first = random.normal(key, shape)
    return first + random.uniform(key + 1, shape)  # expect: TL523


def added_to_new(seed, shape):
    return random.uniform(random.PRNGKey(seed) + 1, shape)  # expect: TL523


def shifted(seed, shape):
    """A seed is a number: adding to it is how others are made."""
    return random.uniform(random.PRNGKey(seed + 1), shape)


def stacked(keys, shape):
    """A matrix product makes no key."""
    return random.uniform((keys @ keys), shape)


def rounds(key, batches):
    out = []
    for batch in batches:
        out.append(batch + random.normal(key, batch.shape))  # expect: TL523
    return out


def rounds_until_found(key, batches):
    """The first round leaves the loop."""
    for batch in batches:
        noise = random.normal(key, batch.shape)
        return batch + noise
    return None


def rounds_with_skips(key, batches):
    """A round that is skipped is no way out of the loop."""
    out = []
    for batch in batches:
        out.append(batch + random.normal(key, batch.shape))  # expect: TL523
        if batch.ndim == 1:
            continue
    return out


def rounds_while(key, batch):
    while batch.ndim > 1:
        batch = batch.sum(0) + random.normal(key, batch.shape[1:])  # expect: TL523
    return batch


def rounds_of_keys(keys, batch):
    for key in keys:
        batch = batch + random.normal(key, batch.shape)
    return batch


def rounds_of_pairs(key, batches):
    for batch, key in zip(batches, random.split(key, 8)):
        yield batch + random.normal(key, batch.shape)


def rounds_carried(key, batch, rounds):
    for _ in range(rounds):
        key, sub = random.split(key)
        batch = batch + random.normal(sub, batch.shape)
    return batch


def rounds_carried_behind(key, batch, rounds):
    """The key is the one of the round before."""
    for _ in range(rounds):
        batch = batch + random.normal(key, batch.shape)
        key = random.fold_in(key, 1)
    return batch


def scanned_and_drawn(key, batches):
    def body(carry, batch):
        carry, sub = random.split(carry)
        return carry, batch + random.normal(sub, batch.shape)

    _, out = jax.lax.scan(body, key, batches)
    return out + random.normal(key, (2,))  # expect: TL523


def scanned_by_keyword(key, batches):
    def body(carry, batch):
        carry, sub = random.split(carry)
        return carry, batch + random.normal(sub, batch.shape)

    _, out = jax.lax.scan(f=body, init=key, xs=batches)
    return out + random.normal(key, (2,))  # expect: TL523


def scanned_pair(key, state, batches):
    def body(carry, batch):
        state, key = carry
        key, sub = random.split(key)
        return (state, key), batch + random.normal(sub, batch.shape)

    _, out = jax.lax.scan(body, (state, key), batches)
    return out + random.normal(key, (2,))  # expect: TL523


def scanned_without_key(key, state, batches):
    def body(carry, batch):
        return carry + batch, batch

    out = jax.lax.scan(body, state, batches)
    return out, random.normal(key, (2,))


def fori(key, state):
    def body(index, carry):
        carry, sub = random.split(carry)
        return carry

    jax.lax.fori_loop(0, 3, body, key)
    return random.normal(key, (2,))  # expect: TL523


def shapes_first(key, model, batch):
    """Only the shapes are asked for: nothing is drawn."""

    def make(key):
        return random.normal(key, (3,)) + random.uniform(key, (3,))

    return jax.eval_shape(make, key)


def shapes_and_values(key):
    def make(key):
        return random.normal(key, (3,)) + random.uniform(key, (3,))  # expect: TL523

    shapes = jax.eval_shape(make, key)
    return shapes, make(key)


def fake_batch(key, shape):
    """The name says that these numbers only stand for some."""
    return random.normal(key, shape), random.uniform(key, shape)


class Block(nn.Module):
    @nn.compact
    def __call__(self, x, key):
        x = x + random.normal(key, x.shape)
        return x * random.bernoulli(key, 0.9, x.shape)  # expect: TL523


def many_layers(key, shape, initializer=None):
    """What draws is handed in: nobody knows it."""
    weights = initializer(key, shape)
    return weights, random.normal(key, shape)


compiled = jax.jit(functools.partial(draws, shape=(3,)))


def compiled_then_drawn(key):
    out = compiled(key)
    return out + random.normal(key, (3,))  # expect: TL523
