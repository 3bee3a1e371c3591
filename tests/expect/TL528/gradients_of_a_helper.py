"""Gradients that come back in a record, or through a function that may reduce them."""

import jax
import jax.numpy as jnp


class Result:
    def __init__(self, loss, grads):
        self.loss = loss
        self.grads = grads


def finished(grads, loss):
    return {"grads": grads, "loss": loss}


def reduced(grads):
    return jax.lax.pmean(grads, axis_name="batch")


def train_step(state, batch):
    def loss_fn(params):
        return jnp.mean((state.apply_fn(params, batch["x"]) - batch["y"]) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    result = Result(loss, grads)
    return state.apply_gradients(grads=result.grads), result.loss  # expect: TL528


def other_step(state, batch):
    def loss_fn(params):
        return jnp.mean((state.apply_fn(params, batch["x"]) - batch["y"]) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    result = finished(reduced(grads), loss)
    return state.apply_gradients(grads=result["grads"]), result["loss"]


p_train_step = jax.pmap(train_step, axis_name="batch")
p_other_step = jax.pmap(other_step, axis_name="batch")
