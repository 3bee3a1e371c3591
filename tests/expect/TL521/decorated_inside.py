"""Functions defined inside that a decorator compiles, and those that a call does; some are compiled once for all rounds."""

import functools
import jax
import jax.numpy as jnp
from jax.experimental import pjit


def broadcast(keys, mesh):
    def identity(x):
        return x

    out = []
    for k in keys:
        f = pjit.pjit(identity, in_shardings=None, out_shardings=None)
        out.append(f(k))
    return out


def broadcast_one(key):
    def identity(x):
        return x

    return jax.jit(identity)(key)  # expect: TL521


def reshard(keys):
    return [broadcast_one(k) for k in keys]


def sync(stats):
    avg = jax.pmap(lambda x: jax.lax.pmean(x, "x"), "x")  # expect: TL521
    return avg(stats)


def train(state, batches):
    for b in batches:
        state = state + b
        stats = sync(state)
    return state


class Model:
    def loss(self, p, x):
        return (p * x).sum()

    def eval(self, p, xs):
        tot = 0
        for x in xs:
            tot += jax.pmap(self.loss)(p, x)  # expect: TL521
        return tot

    def grad_step(self, p, x):
        return jax.value_and_grad(self.loss)(p, x)


class M2:
    def fit(self, p, xs):
        for x in xs:
            g = jax.jit(jax.grad(self.loss))(p, x)  # expect: TL521
            p = p - g
        return p

    def loss(self, p, x):
        return (p * x).sum()


def run(p, xs, lr):
    for x in xs:
        upd = jax.jit(functools.partial(update, lr=lr))  # expect: TL521
        p = upd(p, x)
    return p


def update(p, x, lr):
    return p - lr * x


def step(p, x):
    @jax.jit
    def inner(p, x):
        return p - x

    return inner(p, x)  # expect: TL521


def loop(p, xs):
    while True:
        p = step(p, xs)


def static_floats(p, xs):
    f = jax.jit(update, static_argnums=(2,))
    for i, x in enumerate(xs):
        p = f(p, x, 0.1 * i)
    return p


def good(p, xs):
    f = jax.jit(update)
    for x in xs:
        p = f(p, x, 0.1)
    return p


def per_call(p, xs):
    @jax.jit
    def inner(p, x):
        return p - x

    for x in xs:
        p = inner(p, x)
    return p


def folds(p, xs):
    for f in range(5):
        p = per_call(p, xs)
    return p


def makes():
    @jax.jit
    def inner(p, x):
        return p - x

    return inner


def uses(p, xs):
    for x in xs:

        @jax.jit
        def inner(p, x):
            return p - x

        p = inner(p, x)  # expect: TL521
    return p


def about(p, xs):
    for x in xs:

        @jax.jit
        def inner(p):
            return p - x

        p = inner(p)
    return p
