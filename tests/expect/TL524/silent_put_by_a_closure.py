"""A closure puts what it is given into a dict of whoever made the step."""

import functools

import jax
import jax.numpy as jnp
import optax


def make_step(loss_fn, tx, history):
    def record(**values):
        history.update(values)

    @functools.partial(jax.jit, donate_argnums=(0, 1))
    def step(params, opt_state, batch):
        loss, grads = jax.value_and_grad(loss_fn)(params, batch)
        updates, opt_state = tx.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss

    return step


def train(params, loader, loss_fn):
    tx = optax.adamw(1e-3)
    opt_state = tx.init(params)
    history = {}
    step = make_step(loss_fn, tx, history)
    for batch in loader:
        params, opt_state, loss = step(params, opt_state, batch)
        history["loss"] = float(loss)
    return params, history
