"""Which of the values in a traced step are arrays: what loops hand out, what comparisons and sums make."""

import functools

import jax
import jax.numpy as jnp


@jax.jit
def clip_by_zip(grads, limits):
    """Both of a pair are arrays."""
    grads = jnp.stack(grads)
    limits = jnp.stack(limits)
    out = []
    for grad, limit in zip(grads, limits):
        if grad > 0:  # expect: TL520
            out.append(limit)
    return out


@jax.jit
def weighted_by_zip(grads):
    """The second of the pair is a number of Python."""
    out = []
    for grad, weight in zip(grads, (0.1, 0.5, 1.0)):
        if weight > 0.2:
            out.append(grad * weight)
    return out


@jax.jit
def numbered(losses):
    """The first of ``enumerate`` is a number of Python, the second is not."""
    losses = jnp.asarray(losses)
    total = 0.0
    for index, loss in enumerate(losses):
        if index > 0:
            total = total + loss
        if loss > 1.0:  # expect: TL520
            total = total * 0.5
    return total


@jax.jit
def numbered_pairs(losses):
    """Pairs that are numbered: the second is a pair, its parts are arrays."""
    losses = jnp.asarray(losses)
    total = 0.0
    for pair in enumerate(losses):
        if pair[0] > 1:
            total = total + pair[1]
        if pair[1] > 1.0:  # expect: TL520
            total = total * 0.5
    return total


@functools.partial(jax.jit, static_argnames="depth")
def item_of_row(losses, depth):
    """A row of what a loop draws from an array."""
    losses = jnp.asarray(losses)
    for row in losses:
        if row[0] > row[depth]:  # expect: TL520
            return row
    return losses


@jax.jit
def by_name(params):
    """The keys of a dict are texts, its values arrays."""
    total = 0.0
    for name, value in params.items():
        if name == "bias":
            continue
        if value.sum() > 0:  # expect: TL520
            total = total + value.sum()
    return total


@jax.jit
def number_on_the_left(logits):
    peak = logits.max()
    if 30.0 < peak:  # expect: TL520
        logits = logits / peak
    return logits


@jax.jit
def compared_with_a_text(logits, mode=None):
    """An array compared with a text is no array: Python says False."""
    peak = logits.max()
    if peak == "mean":
        return logits
    return logits / peak


@jax.jit
def tree_compared_with_a_text(batch):
    """What a dict holds may be a text of the caller's that nobody compares in order."""
    if batch["kind"] == "train":
        return batch["x"] * 2
    return batch["x"]


@jax.jit
def tree_compared_with_a_number(batch):
    if batch["length"] == 3:  # expect: TL520
        return batch["x"] * 2
    return batch["x"]


@jax.jit
def tree_in_order(batch):
    if batch["length"] > batch["limit"]:  # expect: TL520
        return batch["x"] * 2
    return batch["x"]


@jax.jit
def scaled_by_a_float(batch):
    """A tree times a fraction is an array: of a list there is no such product."""
    scaled = batch["loss"] * 0.5
    if scaled:  # expect: TL520
        return scaled
    return batch["x"]


@jax.jit
def repeated(batch):
    """A tree times a whole number may be a list."""
    repeated = batch["parts"] * 2
    if repeated:
        return repeated[0]
    return batch["x"]


@jax.jit
def inverted(batch):
    if ~batch["mask"]:  # expect: TL520
        return batch["x"]
    return batch["x"] * 2


@jax.jit
def chosen_or_none(losses, wide=True):
    """None stands for nothing: what is left is an array."""
    peak = losses.max() if wide else None
    if peak > 1.0:  # expect: TL520
        return losses * 0.5
    return losses


@jax.jit
def array_or_number(losses, depth=None):
    """A number of Python on one side: it may be static."""
    scale = losses.max() if losses.ndim > 1 else 1.0
    if scale > 1.0:
        return losses / scale
    return losses


@jax.jit
def products(a, b):
    """A product is an array when a factor is."""
    if a @ b > 0:  # expect: TL520
        return a
    return b


TABLE = jnp.eye(4)


def host_products(x):
    """Without a trace numbers are there."""
    if x @ TABLE > 0:
        return x
    return -x


@jax.jit
def kept_in_a_loop(losses):
    """What a loop carries: a number before the first round, an array behind it."""
    losses = jnp.asarray(losses)
    worst = losses[0]
    count = 0
    for loss in losses:
        worst = jnp.maximum(worst, loss)
        count = count + 1
    if count > 3:
        worst = worst * 2
    if worst > 0:  # expect: TL520
        worst = -worst
    return worst
