"""Layers, transformed functions and samplers of other libraries draw with the key that they are handed."""

import jax
import jax.numpy as jnp
import equinox as eqx
import haiku as hk
import optax


class Net(eqx.Module):
    a: eqx.nn.Linear
    b: eqx.nn.Linear
    drop: eqx.nn.Dropout

    def __init__(self, key):
        self.a = eqx.nn.Linear(3, 3, key=key)
        self.b = eqx.nn.Linear(3, 3, key=key)  # expect: TL523
        self.drop = eqx.nn.Dropout(0.1)

    def __call__(self, x, *, key):
        x = self.drop(self.a(x), key=key)
        x = self.drop(self.b(x), key=key)  # expect: TL523
        return x


class Good(eqx.Module):
    layers: list
    drop: eqx.nn.Dropout

    def __init__(self, key):
        keys = jax.random.split(key, 3)
        self.layers = [eqx.nn.Linear(3, 3, key=k) for k in keys]
        self.drop = eqx.nn.Dropout(0.1)

    def __call__(self, x, *, key):
        for layer in self.layers:
            key, sub = jax.random.split(key)
            x = self.drop(layer(x), key=sub)
        return x


class Stack(eqx.Module):
    layers: list

    def __init__(self, key):
        self.layers = [eqx.nn.Linear(3, 3, key=key) for _ in range(4)]  # expect: TL523


@eqx.filter_jit
def step(model, x, key):
    def loss(m):
        return jax.vmap(m, in_axes=(0,))(x, key=key).mean()

    return eqx.filter_grad(loss)(model)


def train(model, batches):
    key = jax.random.PRNGKey(0)
    for x in batches:
        model = step(model, x, key)
    return model


def f(x):
    return hk.dropout(hk.next_rng_key(), 0.1, x)


def train_hk(batches):
    net = hk.transform(f)
    rng = jax.random.PRNGKey(42)
    params = net.init(rng, batches[0])
    for b in batches:
        out = net.apply(params, rng, b)  # expect: TL523
    return out


def make(key):
    m = Net(key)
    n = Net(key)
    return m, n


def build(key):
    enc = eqx.nn.MLP(2, 2, 2, 2, key=key)
    dec = eqx.nn.MLP(2, 2, 2, 2, key=key)  # expect: TL523
    return enc, dec
