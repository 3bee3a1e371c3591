"""Keys that are read in the middle of an expression, or by a function that is defined inside."""

import jax
import jax.numpy as jnp


def crop(key, image, padding):
    corner = jax.random.randint(key, (2,), 0, 2 * padding + 1)
    return jax.lax.dynamic_slice(image, jnp.concatenate([corner, jnp.zeros((1,), dtype=jnp.int32)]), image.shape)


def crop_all(key, images, padding=4):
    keys = jax.random.split(key, images.shape[0])
    return jax.vmap(crop, (0, 0, None))(keys, images, padding)


def noisy(key, params, batch):
    def loss(weights):
        noise = jax.random.normal(key, batch.shape)
        return jnp.mean((batch + noise) @ weights)

    return jax.grad(loss)(params)


def update(rng, params, batch):
    rng, first, second = jax.random.split(rng, 3)
    return rng, noisy(second, params, crop_all(first, batch))
