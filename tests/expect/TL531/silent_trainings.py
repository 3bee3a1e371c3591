"""Functions that train from beginning to end: a loop over what they are given has no steps."""

import jax
import jax.numpy as jnp


def loss_fn(params, x):
    return jnp.mean((x @ params) ** 2)


def train(optimizer, params, batches):
    state, losses = optimizer.init(params), []
    gradients = jax.value_and_grad(loss_fn)
    for x in batches:
        loss, grads = gradients(params, x)
        updates, state = optimizer.update(grads, state)
        params = params + updates
        losses.append(loss)
    return losses


def compare(optimizers, params, batches):
    for optimizer in optimizers:
        print(train(optimizer, params, batches))
