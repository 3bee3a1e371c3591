"""What calls in a traced step make: of functions of the project, of models, of ``tree.map``, of the library."""

import functools

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax


def scale_of(x):
    return x.max(), x.shape


@jax.jit
def first_of_two(x):
    peak = scale_of(x)[0]
    if peak > 1.0:  # expect: TL520
        x = x / peak
    return x


@jax.jit
def second_of_two(x):
    shape = scale_of(x)[1]
    if shape[0] > 1:
        x = x.sum(0)
    return x


def named_scale(x):
    return {"peak": x.max(), "rows": x.shape[0]}


@jax.jit
def by_key(x):
    if named_scale(x)["peak"] > 1.0:  # expect: TL520
        x = x * 0.5
    if named_scale(x)["rows"] > 1:
        x = x.sum(0)
    return x


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        hidden = nn.Dense(4)(x)
        if hidden.max() > 10.0:  # expect: TL520
            hidden = hidden / 10.0
        return hidden


class Head(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(1)(x)

    def pooled(self, x):
        return x.mean()


@jax.jit
def applied(params, x):
    logits = Net().apply(params, x)
    if logits.sum() > 0:  # expect: TL520
        return logits
    return -logits


@jax.jit
def applied_by_method(params, x):
    """Another method of the model is run: what it makes is traced all the same."""
    pooled = Head().apply(params, x, method="pooled")
    if pooled.sum() > 0:  # expect: TL520
        return pooled
    return -pooled


@jax.jit
def applied_with_arrays_of_the_closure(x):
    out = Head().apply({"params": {}}, jnp.zeros((2, 3)))
    if out.sum() > 0:  # expect: TL520
        return x
    return -x


def applied_on_the_host(params, x):
    """Without a trace the numbers are there."""
    logits = Head().apply(params, x)
    if logits.sum() > 0:
        return logits
    return -logits


@jax.jit
def norms_by_map(grads):
    """``tree.map`` with a function of the library."""
    norms = jax.tree.map(jnp.linalg.norm, grads)
    if norms["dense"] > 1.0:  # expect: TL520
        return grads
    return norms


@jax.jit
def shapes_by_map(grads):
    """What ``tree.map`` makes with ``shape`` is static."""
    shapes = jax.tree.map(jnp.shape, grads)
    if shapes["dense"] > (1, 2):
        return grads
    return shapes


def shrink(leaf):
    if leaf.ndim > 1 and leaf.mean() > 0:  # expect: TL520
        return leaf * 0.5
    return leaf


def rows(leaf):
    return leaf.shape[0]


@jax.jit
def shrunk(grads):
    return jax.tree.map(shrink, grads)


@jax.jit
def rows_of_leaves(grads):
    counted = jax.tree.map(rows, grads)
    if counted["dense"] > 3:
        return grads
    return counted


class Clipper:
    def __init__(self, limit):
        self.limit = limit

    def clip(self, leaf):
        if leaf.max() > self.limit:  # expect: TL520
            return leaf * 0.5
        return leaf

    @functools.partial(jax.jit, static_argnums=0)
    def all_of(self, grads):
        return jax.tree.map(self.clip, grads)


@jax.jit
def clipped_inside(grads, limit):
    """A function inside, which sees what is around it."""

    def clip(leaf):
        if leaf.max() > limit:  # expect: TL520
            return leaf * 0.5
        return leaf

    return jax.tree.map(clip, grads)


def against(leaf, limit):
    if limit > 0:
        return jnp.clip(leaf, -limit, limit)
    return leaf


@jax.jit
def with_static_leaves(grads):
    """The limit is a default of Python."""
    return jax.tree.map(lambda leaf: against(leaf, 1.0), grads)


@jax.jit
def builtin_sum(losses):
    total = sum(losses.mean(axis=0))
    if abs(total) > 3:  # expect: TL520
        return total
    return total * 2


@jax.jit
def builtin_sum_of_shapes(losses):
    total = sum([losses.shape[0], losses.shape[1]])
    if abs(total) > 3:
        return losses
    return losses * 2


@jax.jit
def rounds_of_generator(losses):
    """A generator hands out, it does not return: nothing is known of what it gives."""

    def halves(x):
        if len(x) > 1:
            yield x / 2

    kept = halves(losses)
    if kept:
        return next(kept)
    return losses


def countdown(x, left):
    if left == 0:
        return x
    if x.max() > left:  # expect: TL520
        x = x / 2
    return countdown(x, left - 1)


@jax.jit
def recursive(x):
    return countdown(x, 3)


@jax.jit
def set_in_place(x, value):
    """``at[].set`` makes an array."""
    changed = x.at[0].set(value)
    if changed[0] > 0:  # expect: TL520
        return changed
    return x


@jax.jit
def looked_up(table, metrics):
    """A list of Python, asked at a traced place, is an error of another kind."""
    names = ("loss", "accuracy")
    index = jnp.argmax(metrics)
    best = names[index]
    if best == "loss":
        return table
    return metrics


@jax.jit
def library_update(params, grads):
    params = optax.apply_updates(params, grads)
    if params["scale"] > 3:  # expect: TL520
        return params
    return grads


class Train:
    def __init__(self, tx):
        self.step = jax.jit(self.update)
        self.tx = tx

    def update(self, params, grads):
        updates, state = self.tx.update(grads, params)
        if optax.global_norm(updates) > 1.0:  # expect: TL520
            return params
        return updates, state
