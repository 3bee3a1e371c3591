"""Steps that an object keeps, and calls in its loop."""

import jax
import jax.numpy as jnp


def loss_fn(params, x, y):
    return jnp.mean((x @ params - y) ** 2)


def train_step(state, x, y):
    loss, grads = jax.value_and_grad(loss_fn)(state.params, x, y)
    return state.apply_gradients(grads=grads), loss


def compiled_step(state, x, y):
    loss, grads = jax.value_and_grad(loss_fn)(state.params, x, y)
    return state.apply_gradients(grads=grads), loss


class Loop:
    def __init__(self, step):
        self.step = step


def train(state, batches):
    loop = Loop(train_step)
    for x, y in batches:
        state, loss = loop.step(state, x, y)  # expect: TL531
    return state


def train_compiled(state, batches):
    loop = Loop(jax.jit(compiled_step))
    for x, y in batches:
        state, loss = loop.step(state, x, y)
    return state
