"""Idioms of keys from the documentation of JAX, Flax, Equinox and Optax: each draws every number from a key of its own."""

import functools

import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
from flax import nnx
from flax.training import train_state
from jax import lax, random


class Dropped(nn.Module):
    """Flax asks a collection twice: the counter of the module makes two keys."""

    @nn.compact
    def __call__(self, x, training):
        x = nn.Dropout(0.5, deterministic=not training)(x)
        first, second = self.make_rng("noise"), self.make_rng("noise")
        return x + random.normal(first, x.shape) + random.uniform(second, x.shape)


class Layer(nnx.Module):
    """``nnx.Rngs`` counts: each call of a stream is another key."""

    def __init__(self, width, *, rngs: nnx.Rngs):
        self.w = nnx.Param(random.normal(rngs.params(), (width, width)))
        self.b = nnx.Param(random.normal(rngs.params(), (width,)))
        self.inner = nnx.Linear(width, width, rngs=rngs)
        self.drop = nnx.Dropout(0.1, rngs=rngs)


def two_layers():
    rngs = nnx.Rngs(0, params=1)
    return Layer(3, rngs=rngs), Layer(3, rngs=rngs)


def chained(key):
    key, subkey = random.split(key)
    x = random.normal(subkey)
    key, subkey = random.split(key)
    return x + random.normal(subkey)


def rest_first_or_last(rng):
    rng, one = random.split(rng)
    two, rng = random.split(rng)
    *some, rng = random.split(rng, 4)
    return [random.normal(each) for each in (one, two, *some)], rng


def one_for_each_leaf(key, tree):
    leaves, structure = jax.tree.flatten(tree)
    keys = jax.tree.unflatten(structure, random.split(key, len(leaves)))
    return jax.tree.map(lambda leaf, each: leaf + random.normal(each, leaf.shape), tree, keys)


def from_an_iterator(seed, shapes):
    def stream():
        key = random.key(seed)
        while True:
            key, subkey = random.split(key)
            yield subkey

    keys = stream()
    return [random.normal(next(keys), shape) for shape in shapes]


def one_for_each_step(model, state, key, batches):
    dropout_key, noise_key = random.split(key)
    for step, batch in enumerate(batches):
        rngs = {"dropout": random.fold_in(dropout_key, step), "noise": random.fold_in(noise_key, step)}
        state = model.apply(state, batch, rngs=rngs)
    return state


@jax.jit
def step_of_the_state(state: train_state.TrainState, batch, dropout_key):
    key = random.fold_in(key=dropout_key, data=state.step)
    return state.apply_fn({"params": state.params}, batch, training=True, rngs={"dropout": key})


def scanned(key, start):
    def body(carry, _):
        x, key = carry
        key, subkey = random.split(key)
        return (x + random.normal(subkey), key), x

    return lax.scan(body, (start, key), None, length=10)


def scanned_over_keys(key, start):
    return lax.scan(lambda x, each: (x + random.normal(each), x), start, random.split(key, 10))


def counted(key, start):
    return lax.fori_loop(0, 10, lambda i, x: x + random.normal(random.fold_in(key, i)), start)


def on_each_device(key):
    key = random.fold_in(key, lax.axis_index("devices"))
    return random.normal(key, (3,))


on_devices = jax.pmap(on_each_device, axis_name="devices", in_axes=None, axis_size=8)


def only_if_asked(key, x, training):
    return x * random.bernoulli(key, 0.9, x.shape) if training else x


def either_or(key, kind, shape):
    match kind:
        case "normal":
            return random.normal(key, shape)
        case "uniform":
            return random.uniform(key, shape)
    return random.truncated_normal(key, -2.0, 2.0, shape)


def left_early(key, shape, uniform):
    if uniform:
        return random.uniform(key, shape)
    return random.normal(key, shape)


class Net(eqx.Module):
    layers: list

    def __init__(self, key):
        first, second = random.split(key, 2)
        self.layers = [eqx.nn.Linear(2, 8, key=first), eqx.nn.Linear(8, 1, key=second)]

    def __call__(self, x, *, key=None):
        keys = [None, None] if key is None else random.split(key, 2)
        for layer, each in zip(self.layers, keys, strict=True):
            x = layer(x, key=each)
        return x


def initialised_and_applied(model, key, x):
    params_key, dropout_key = random.split(key)
    variables = model.init({"params": params_key, "dropout": dropout_key}, x)
    return model.apply(variables, x)


@functools.partial(jax.vmap, in_axes=(0, 0))
def for_each(key, x):
    return x + random.normal(key, x.shape)


def batched(key, xs):
    return for_each(random.split(key, xs.shape[0]), xs)


def shapes_first(model, key, x):
    shapes = jax.eval_shape(model.init, key, x)
    return shapes, model.init(key, x)


def saved_and_restored(key):
    data = random.key_data(key)
    return random.normal(random.wrap_key_data(data), (3,)), jnp.asarray(data)


def printed(key):
    print("seed", key, key.shape)
    return random.normal(key, (3,))
