"""Steps on each device: where the mean is taken, what applies the gradients, and which devices hold copies of one model."""

import functools
from functools import partial

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from jax import lax
from jax.sharding import PartitionSpec as P

from training.devices import mean_over_devices

AXIS = "batch"


def loss_fn(params, batch):
    return jnp.mean((batch["x"] @ params - batch["y"]) ** 2)


@partial(jax.pmap, axis_name="batch")
def plain(state, batch):
    grads = jax.grad(loss_fn)(state.params, batch)
    return state.apply_gradients(grads=grads)  # expect: TL528


@partial(jax.pmap, axis_name="batch")
def averaged(state, batch):
    grads = jax.grad(loss_fn)(state.params, batch)
    grads = lax.pmean(grads, "batch")
    return state.apply_gradients(grads=grads)


@partial(jax.pmap, axis_name="batch")
def averaged_by_method(state, batch, comm):
    """What a thing that is handed in does by that name, it does."""
    grads = jax.grad(loss_fn)(state.params, batch)
    grads = comm.all_reduce(grads)
    return state.apply_gradients(grads=grads)


@partial(jax.pmap, axis_name="batch")
def told_the_axis(state, batch):
    """The state takes the mean: it is told the axis."""
    grads = jax.grad(loss_fn)(state.params, batch)
    return state.apply_gradients(grads=grads, axis_name="batch")


@partial(jax.pmap, axis_name="batch")
def gradient_told_the_axis(state, batch, scale):
    grads = jax.grad(loss_fn)(state.params, batch, axis_name="batch")
    return state.apply_gradients(grads=grads)


@partial(jax.pmap, axis_name="batch")
def by_a_helper_of_another_file(state, batch):
    grads = jax.grad(loss_fn)(state.params, batch)
    grads = mean_over_devices(grads)
    return state.apply_gradients(grads=grads)


@partial(jax.pmap, axis_name="batch")
def by_unknown(state, batch, combine):
    """What is handed in may take the mean."""
    grads = jax.grad(loss_fn)(state.params, batch)
    grads = combine(grads)
    return state.apply_gradients(grads=grads)


@partial(jax.pmap, axis_name="batch")
def looked_at_by_unknown(state, batch, inspect):
    grads = jax.grad(loss_fn)(state.params, batch)
    inspect(grads)
    return state.apply_gradients(grads=grads)


@partial(jax.pmap, axis_name="batch")
def with_values(state, batch):
    loss, grads = jax.value_and_grad(loss_fn)(state.params, batch)
    return state.apply_gradients(grads=grads), loss  # expect: TL528


@partial(jax.pmap, axis_name="batch")
def loss_applied(state, batch):
    """What is applied is no gradient: of the pair it is the loss."""
    loss, grads = jax.value_and_grad(loss_fn)(state.params, batch)
    return state.update(loss), lax.pmean(grads, "batch")


@partial(jax.pmap, axis_name="batch")
def with_aux(state, batch):
    grads, info = jax.grad(loss_fn, has_aux=True)(state.params, batch)
    return state.apply_gradients(grads=grads), info  # expect: TL528


@partial(jax.pmap, axis_name="batch")
def aux_applied(state, batch):
    grads, info = jax.grad(loss_fn, has_aux=True)(state.params, batch)
    return state.update(info), lax.pmean(grads, "batch")


@partial(jax.pmap, axis_name="batch")
def item_of_gradient(state, batch):
    """Gradients of two arguments: of the first one."""
    grads = jax.grad(loss_fn, argnums=(0, 1))(state.params, batch)
    return state.apply_gradients(grads=grads[0])


@partial(jax.pmap, axis_name="batch")
def whole_pair(state, batch):
    pair = jax.value_and_grad(loss_fn)(state.params, batch)
    return state.apply_gradients(grads=pair)


@partial(jax.pmap, axis_name="batch")
def mapped_loss(state, batch):
    """``vmap`` makes no gradients."""
    losses = jax.vmap(loss_fn)(state.params, batch)
    return state.update(losses)


@partial(jax.pmap, axis_name="batch")
def chosen(state, batch, other=None):
    first = jax.grad(loss_fn)(state.params, batch)
    second = jax.grad(loss_fn)(state.ema_params, batch)
    return state.apply_gradients(grads=first if other is None else second)  # expect: TL528


@partial(jax.pmap, axis_name="batch")
def chosen_or_handed_in(state, batch, other=None):
    """One of them is the caller's."""
    first = jax.grad(loss_fn)(state.params, batch)
    return state.apply_gradients(grads=first if other is None else other)


def apply(state, grads):
    return state.apply_gradients(grads=grads)  # expect: TL528


@partial(jax.pmap, axis_name="batch")
def by_an_apply(state, batch):
    return apply(state, jax.grad(loss_fn)(state.params, batch))


def mean_and_apply(state, grads):
    return state.apply_gradients(grads=lax.pmean(grads, "batch"))


@partial(jax.pmap, axis_name="batch")
def by_a_mean_and_apply(state, batch):
    return mean_and_apply(state, jax.grad(loss_fn)(state.params, batch))


@partial(jax.pmap, axis_name="batch")
def in_the_loss(state, batch):
    def total(params):
        return lax.pmean(loss_fn(params, batch), "batch")

    return state.apply_gradients(grads=jax.grad(total)(state.params))


@partial(jax.pmap, axis_name="batch")
def in_a_lambda(state, batch):
    gradient = jax.grad(lambda params: lax.pmean(loss_fn(params, batch), "batch"))
    return state.apply_gradients(grads=gradient(state.params))


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.BatchNorm(axis_name="batch")(nn.Dense(3)(x))


@partial(jax.pmap, axis_name="batch")
def told_in_the_loss(state, batch):
    """Something in the loss talks over the axis: whether that is enough nobody sees."""

    def total(params):
        return optax.l2_loss(nn.BatchNorm(axis_name="batch")(params)).mean()

    return state.apply_gradients(grads=jax.grad(total)(state.params))


@partial(jax.pmap, axis_name="batch")
def leaf_by_leaf(state, batch):
    grads = jax.grad(loss_fn)(state.params, batch)
    grads = jax.tree.map(partial(lax.pmean, axis_name="batch"), grads)
    return state.apply_gradients(grads=grads)


@partial(jax.pmap, axis_name="batch")
def leaf_by_leaf_without(state, batch):
    grads = jax.grad(loss_fn)(state.params, batch)
    grads = jax.tree.map(jnp.nan_to_num, grads)
    return state.apply_gradients(grads=grads)


@partial(jax.pmap, axis_name=AXIS)
def axis_by_constant(state, batch):
    grads = jax.grad(loss_fn)(state.params, batch)
    return state.apply_gradients(grads=grads)  # expect: TL528


@partial(jax.pmap, axis_name="batch")
def at_once(state, batch):
    return state.apply_gradients(grads=jax.grad(loss_fn)(state.params, batch))  # expect: TL528


@partial(jax.pmap, axis_name="batch")
def into_an_attribute(self, batch):
    self.grads = jax.grad(loss_fn)(self.params, batch)
    return self.optimizer.apply_gradient(self.grads)  # expect: TL528


def one_for_each(params, batch):
    grads = jax.grad(loss_fn)(params, batch)
    return optax.sgd(0.1).update(grads, params)


population = jax.pmap(one_for_each)


def by_shards(state, batch):
    grads = jax.grad(loss_fn)(state.params, batch)
    return state.apply_gradients(grads=grads)


def by_unchecked_shards(state, batch):
    grads = jax.grad(loss_fn)(state.params, batch)
    return state.apply_gradients(grads=grads)  # expect: TL528


def by_shards_as_set(state, batch):
    grads = jax.grad(loss_fn)(state.params, batch)
    return state.apply_gradients(grads=grads)


def built(mesh, check):
    checked = jax.shard_map(by_shards, mesh=mesh, in_specs=(P(), P("data")), out_specs=P(), check_vma=True)
    unchecked = jax.shard_map(by_unchecked_shards, mesh=mesh, in_specs=(P(), P("data")), out_specs=P(), check_vma=False)
    as_set = jax.shard_map(by_shards_as_set, mesh=mesh, in_specs=(P(), P("data")), out_specs=P(), check_vma=check)
    return checked, unchecked, as_set


class Trainer:
    @functools.partial(jax.pmap, axis_name="batch", static_broadcasted_argnums=0)
    def update(self, state, batch):
        grads = self.gradients(state, batch)
        return state.apply_gradients(grads=grads)

    def gradients(self, state, batch):
        return lax.pmean(jax.grad(loss_fn)(state.params, batch), "batch")
