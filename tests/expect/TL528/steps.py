"""Steps on each device, as people write them: without the mean, and with it where it is hard to see."""
# Modelled on huggingface/diffusers (text to image in Flax), kvfrans/jax-flow, google/flax (imagenet) and google/brax (gradients).

from functools import partial

import flax
import jax
import jax.numpy as jnp
import optax
from jax import lax


class Trainer(flax.struct.PyTreeNode):
    model: object

    @partial(jax.pmap, axis_name="data")
    def update(self, images, axis="data"):
        def loss_fn(params):
            loss = jnp.mean(self.model(images, params=params) ** 2)
            return loss, {"loss": loss}

        grads, info = jax.grad(loss_fn, has_aux=True)(self.model.params)
        info = lax.pmean(info, axis_name=axis)
        updates, opt_state = self.model.tx.update(grads, self.model.opt_state, self.model.params)  # expect: TL528
        return optax.apply_updates(self.model.params, updates), opt_state, info

    @partial(jax.pmap, axis_name="data")
    def averaged(self, images, axis="data"):
        def loss_fn(params):
            return jnp.mean(self.model(images, params=params) ** 2)

        grads = jax.grad(loss_fn)(self.model.params)
        grads = lax.pmean(grads, axis_name=axis)
        updates, opt_state = self.model.tx.update(grads, self.model.opt_state, self.model.params)
        return optax.apply_updates(self.model.params, updates), opt_state


def train_step(state, batch):
    def loss_fn(params):
        logits = state.apply_fn(params, batch["x"])
        return optax.softmax_cross_entropy(logits, batch["y"]).mean(), logits

    if state.dynamic_scale:
        grad_fn = state.dynamic_scale.value_and_grad(loss_fn, has_aux=True, axis_name="batch")
        scale, finite, aux, grads = grad_fn(state.params)
    else:
        grad_fn = jax.value_and_grad(loss_fn, has_aux=True)
        aux, grads = grad_fn(state.params)
        grads = lax.pmean(grads, axis_name="batch")
    return state.apply_gradients(grads=grads), aux


def clipped_first(state, batch):
    grads = jax.grad(lambda params: state.apply_fn(params, batch).mean())(state.params)
    clipped, _ = optax.clip_by_global_norm(1.0).update(grads, optax.EmptyState())
    return state.apply_gradients(grads=jax.tree.map(partial(lax.pmean, axis_name="batch"), clipped))


def forgotten(state, batch):
    (loss, logits), grad = jax.value_and_grad(lambda p: (state.apply_fn(p, batch).mean(), batch), has_aux=True)(state.params)
    state = state.apply_gradients(grads=grad)  # expect: TL528
    return state, lax.pmean({"loss": loss}, axis_name="batch")


def loss_and_mean(loss_fn, axis):
    g = jax.value_and_grad(loss_fn)

    def h(*args):
        value, grad = g(*args)
        return value, lax.pmean(grad, axis_name=axis)

    return g if axis is None else h


def update_fn(loss_fn, optimizer, axis):
    gradient = loss_and_mean(loss_fn, axis)

    def update(params, state):
        value, grads = gradient(params)
        updates, state = optimizer.update(grads, state)
        return optax.apply_updates(params, updates), state

    return update


p_update = jax.pmap(update_fn(jnp.sum, optax.sgd(0.1), "batch"), axis_name="batch")
p_train_step = jax.pmap(train_step, axis_name="batch")
p_clipped = jax.pmap(clipped_first, axis_name="batch")
p_forgotten = jax.pmap(forgotten, "batch", donate_argnums=(0,))
