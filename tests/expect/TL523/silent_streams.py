"""Keys that are renewed, split, folded or carried on in ordinary ways."""

import jax
import jax.numpy as jnp
import numpy as np
import flax.linen as nn
import optax
from flax.training import train_state
import haiku as hk
import distrax


class TrainState(train_state.TrainState):
    dropout_rng: jax.Array
    key: jax.Array


def step(state, batch):
    rng = jax.random.fold_in(state.dropout_rng, state.step)

    def loss(p):
        return state.apply_fn({"params": p}, batch, rngs={"dropout": rng}).mean()

    g = jax.grad(loss)(state.params)
    return state.apply_gradients(grads=g)


def train(state, batches):
    for b in batches:
        state = step(state, b)
    return state


def train2(state, batches, key):
    jstep = jax.jit(step)
    for b in batches:
        key, sub = jax.random.split(key)
        state = state.replace(key=sub)
        x = jax.random.normal(state.key, (2,))
        state = jstep(state, b + x)
    return state


class Env:
    def __init__(self):
        self.key = jax.random.PRNGKey(0)

    def reset(self):
        self.key, k = jax.random.split(self.key)
        return jax.random.normal(k, (3,))

    def seed(self, s):
        self.key = jax.random.PRNGKey(s)

    def step(self, a):
        self._advance()
        x = jax.random.normal(self.key, (3,))
        self._advance()
        y = jax.random.normal(self.key, (3,))
        return x + y

    def _advance(self):
        self.key = jax.random.split(self.key)[0]


class Policy:
    def __init__(self, key):
        self.rng = key

    def sample(self, logits):
        self.rng, k = jax.random.split(self.rng, 2)
        return distrax.Categorical(logits).sample(seed=k)


def rollout(policy, n):
    for i in range(n):
        policy.sample(jnp.ones(3))


def scan_over(key, params, xs):
    def body(c, x):
        p, k = c
        k, a, b = jax.random.split(k, 3)
        y = jax.random.normal(a, x.shape) + jax.random.uniform(b, x.shape)
        return (p, k), y

    (p, key), ys = jax.lax.scan(body, (params, key), xs)
    return ys, jax.random.normal(key, (2,))


def init_and_apply(x):
    rng = hk.PRNGSequence(42)
    net = hk.transform(lambda x: hk.Linear(3)(x))
    params = net.init(next(rng), x)
    for _ in range(3):
        out = net.apply(params, next(rng), x)
    return out


def without(x, key):
    net = hk.without_apply_rng(hk.transform(lambda x: hk.Linear(3)(x)))
    params = net.init(key, x)
    for _ in range(3):
        out = net.apply(params, x)
    return out


def evaluate(state, batches, key):
    outs = []
    for i, b in enumerate(batches):
        k = jax.random.fold_in(key, i)
        outs.append(jax.random.normal(k, (3,)) + b)
    return outs


def dict_keys(key, shapes):
    keys = dict(zip(shapes, jax.random.split(key, len(shapes))))
    return {n: jax.random.normal(keys[n], s) for n, s in shapes.items()}


def carry_state(carry, batch):
    state, key = carry
    key, sub = jax.random.split(key)
    noise = jax.random.normal(sub, batch.shape)
    return (state + noise.mean(), key), noise


def run_epoch(state, key, batches):
    for b in batches:
        (state, key), _ = carry_state((state, key), b)
    return state


class Agent:
    def __init__(self, key):
        k1, k2 = jax.random.split(key)
        self.actor_key = k1
        self.critic_key = k2

    def build(self, m, x):
        self.a = m.init(self.actor_key, x)
        self.c = m.init(self.critic_key, x)


def while_reject(key):
    def cond(c):
        return c[1] < 0

    def body(c):
        k, _ = c
        k, s = jax.random.split(k)
        return k, jax.random.normal(s, ())

    return jax.lax.while_loop(cond, body, (key, -1.0))


def nested(key, xs):
    def outer(k, x):
        ks = jax.random.split(k, 4)
        ys = jax.vmap(lambda kk: jax.random.normal(kk, x.shape))(ks[1:])
        return ks[0], ys

    return jax.lax.scan(outer, key, xs)


def retry(key, f):
    for attempt in range(3):
        try:
            return f(jax.random.normal(key, ()))
        except ValueError:
            key, _ = jax.random.split(key)


def swap(state, flag):
    if flag:
        state = state.replace(key=jax.random.split(state.key)[0])
    else:
        state = state.replace(key=jax.random.fold_in(state.key, 1))
    return jax.random.normal(state.key, (2,))
