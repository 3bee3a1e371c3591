"""Two devices apply the gradients of their own half of the batch: their copies drift apart."""

import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"

import jax
import jax.numpy as jnp
import optax

tx = optax.sgd(0.1)


def loss_fn(weights, x, y):
    return jnp.mean((x @ weights - y) ** 2)


def apart(weights, state, x, y):
    grads = jax.grad(loss_fn)(weights, x, y)
    updates, state = tx.update(grads, state)  # expect: TL528
    return optax.apply_updates(weights, updates), state


def together(weights, state, x, y):
    grads = jax.lax.pmean(jax.grad(loss_fn)(weights, x, y), axis_name="batch")
    updates, state = tx.update(grads, state)
    return optax.apply_updates(weights, updates), state


def train(steps):
    x = jax.random.normal(jax.random.key(0), (2, 8, 4))
    y = jax.random.normal(jax.random.key(1), (2, 8))
    distances = []
    for step in (jax.pmap(apart, axis_name="batch"), jax.pmap(together, axis_name="batch")):
        weights = jnp.zeros((2, 4))
        state = jax.tree.map(lambda leaf: jnp.stack([leaf, leaf]), tx.init(jnp.zeros(4)))
        for _ in range(steps):
            weights, state = step(weights, state, x, y)
        distances.append(float(jnp.abs(weights[0] - weights[1]).max()))
    return distances
