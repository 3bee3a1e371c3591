"""Steps that a loop runs operation by operation, and steps that something compiles."""
# Modelled on google/flax (mnist, sst2) and vwxyzjn/cleanrl (dqn).

import functools

import jax
import jax.numpy as jnp
import optax
from flax import nnx


def apply_model(state, images, labels):
    def loss_fn(params):
        logits = state.apply_fn({"params": params}, images)
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean(), logits

    (loss, logits), grads = jax.value_and_grad(loss_fn, has_aux=True)(state.params)
    return grads, loss, logits.argmax(-1)


def update(q_state, observations, actions, targets):
    def td_loss(params):
        values = q_state.apply_fn(params, observations)
        return jnp.mean((values[jnp.arange(values.shape[0]), actions] - targets) ** 2)

    loss, grads = jax.value_and_grad(td_loss)(q_state.params)
    return loss, q_state.apply_gradients(grads=grads)


def run(q_state, buffer, steps):
    for step in range(steps):
        if step % 4 == 0:
            loss, q_state = update(q_state, *buffer.sample())  # expect: TL531
    return q_state


@functools.partial(jax.jit, static_argnames="loss_scale")
def decorated(state, batch, loss_scale=1.0):
    loss, grads = jax.value_and_grad(lambda params: loss_scale * state.apply_fn(params, batch).mean())(state.params)
    return state.apply_gradients(grads=grads)


@nnx.jit
def nnx_step(model, optimizer, batch):
    loss, grads = nnx.value_and_grad(lambda model: model(batch).mean())(model)
    optimizer.update(model, grads)
    return loss


def train(state, model, optimizer, batches):
    train_step = jax.pmap(functools.partial(parallel, rate=0.1), axis_name="batch")
    for batch in batches:
        state = decorated(state, batch)
        nnx_step(model, optimizer, batch)
        state = train_step(state, batch)
    return state


def parallel(state, batch, rate):
    loss, grads = jax.value_and_grad(lambda params: state.apply_fn(params, batch).mean())(state.params)
    grads = jax.lax.pmean(grads, axis_name="batch")
    return state.apply_gradients(grads=jax.tree.map(lambda grad: rate * grad, grads))
