"""Keys that are renewed on the way, in attributes, states and dicts of keys."""

import jax
import jax.numpy as jnp
from flax import struct


class Stream:
    def __init__(self, seed):
        self.key = jax.random.key(seed)

    def next(self):
        self.key, sub = jax.random.split(self.key)
        return sub

    def pair(self):
        first = jax.random.normal(self.key, (3,))
        self.next()
        return first, jax.random.normal(self.key, (3,))

    def each(self, count):
        return [jax.random.normal(self.next(), (3,)) for _ in range(count)]

    def rounds(self, xs):
        for x in xs:
            self.key, sub = jax.random.split(self.key)
            yield x + jax.random.normal(sub, x.shape)


class Outside:
    """`fresh` may be a property of a class out of sight: each read may split a key off."""

    def draw(self, stream):
        return jax.random.normal(stream.fresh, (3,)) + jax.random.normal(stream.fresh, (3,))


@struct.dataclass
class State:
    params: jax.Array
    rng: jax.Array


def step(state, batch):
    rng, sub = jax.random.split(state.rng)
    noise = jax.random.normal(sub, batch.shape)
    return state.replace(params=state.params + noise.mean(), rng=rng)


def train(batches):
    state = State(params=jnp.zeros(3), rng=jax.random.key(0))
    jitted = jax.jit(step)
    for batch in batches:
        state = jitted(state, batch)
    return state


def folded(state, batch, rngs):
    rngs = {name: jax.random.fold_in(rng, state.step) for name, rng in rngs.items()}
    return state.apply_fn({"params": state.params}, batch, rngs=rngs)


def apart(model, params, batch, key):
    def loss(params, rngs):
        return model.apply(params, batch, rngs=rngs).mean()

    dropout, noise = jax.random.split(key)
    return jax.grad(loss)(params, rngs={"dropout": dropout, "noise": noise})


def advanced(key, x):
    def body(carry, _):
        x, key = carry
        key, sub = jax.random.split(key)
        return (x + jax.random.normal(sub, x.shape), key), x

    return jax.lax.scan(body, (x, key), None, length=10)


def drawn(key, x):
    def body(x, key):
        return x + jax.random.normal(key, x.shape), x

    return jax.lax.scan(body, x, jax.random.split(key, 10))


def counted(key, x):
    return jax.lax.fori_loop(0, 10, lambda i, x: x + jax.random.normal(jax.random.fold_in(key, i), x.shape), x)
