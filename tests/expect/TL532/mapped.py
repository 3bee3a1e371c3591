"""Keys that are not mapped with the examples, in the ways people write it, and right neighbours."""
# Modelled on google/flax (seq2seq).

from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr


@jax.jit
def decode(params, inputs, key):
    return Model().apply({"params": params}, inputs, rngs={"lstm": key})  # noqa: F821


def decode_batch(params, batch, key):
    inferred = jax.vmap(decode, in_axes=(None, 0, None))(params, batch["query"], key)  # expect: TL532
    return inferred.argmax(-1)


def train_step(state, batch, dropout_rng):
    def loss_fn(params):
        def single(example):
            return state.apply_fn(params, example, rngs={"dropout": dropout_rng}).mean()

        return jax.vmap(single)(batch).mean()  # expect: TL532

    return jax.grad(loss_fn)(state.params)


def sample(image, noise_key):
    return image + jr.normal(noise_key, image.shape)


sample_all = eqx.filter_vmap(sample, in_axes=(0, None))


def noisy(images, key):
    return sample_all(images, key)  # expect: TL532


def reset_all(env, keys):
    return jax.vmap(env.reset)(keys)


def augmented(images, key):
    keys = jr.split(key, images.shape[0])
    return jax.vmap(sample)(images, keys)


def through_partial(images, key):
    keys = jr.split(key, images.shape[0])
    return jax.vmap(partial(sample), in_axes=(0, 0))(images, keys)


def split_inside(images, key):
    def one(image, index):
        return sample(image, jr.fold_in(key, index))

    return jax.vmap(one)(images, jnp.arange(images.shape[0]))


def not_drawn(images, key):
    return jax.vmap(lambda image, other: image.sum() + other[0], in_axes=(0, None))(images, key)
