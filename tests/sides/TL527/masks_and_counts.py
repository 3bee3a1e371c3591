"""Masks of every spelling, functions whose result has as many items as values say, and slices."""

import functools

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def inverted_mask(x):
    bad = jnp.isnan(x)
    return x[~bad]  # expect: TL527


@jax.jit
def inverted_places(x):
    """Turned whole numbers are places, not truth values."""
    places = jnp.argsort(x)
    return x[~places]


@jax.jit
def both_masks(x, y):
    return x[(x > 0) & (y > 0)]  # expect: TL527


@jax.jit
def either_mask(x, y):
    return x[(x > 0) | jnp.isinf(y)]  # expect: TL527


@jax.jit
def masked_bits(x):
    """Bits of whole numbers are places."""
    places = jnp.argsort(x)
    return x[places & 7]


@jax.jit
def added_masks(x, y):
    """A sum of truth values is a number: places again."""
    return x[(x > 0) + (y > 0)]


@jax.jit
def cast_to_bool(x, keep):
    return x[keep.sum(-1).astype(bool)]  # expect: TL527


@jax.jit
def cast_to_jax_bool(x, keep):
    return x[keep.sum(-1).astype(jnp.bool_)]  # expect: TL527


@jax.jit
def cast_to_int(x, keep):
    return x[keep.sum(-1).astype(jnp.int32)]


@jax.jit
def rounded_places(x, keep):
    return x[jnp.round(keep.sum(-1)).astype("int32")]


@jax.jit
def second_of_pair(x, y):
    """The second axis is picked by a mask."""
    return x[:, y > 0]  # expect: TL527


@jax.jit
def set_where(x, y):
    """Also to set one number by a mask: which places these are is not known."""
    return x.at[y > 0].set(0.0)  # expect: TL527


@jax.jit
def set_from_mask(x, y):
    """As many values as the mask picks."""
    return x.at[y > 0].set(y[y > 0])  # expect: TL527


@jax.jit
def set_under_another_name(x, y):
    """An attribute of an own record is no place of an array."""
    return x.rows[y > 0].mean()


@jax.jit
def where_alone(x):
    return jnp.where(x > 0)[0]  # expect: TL527


@jax.jit
def where_with_values(x):
    return jnp.where(x > 0, x, 0.0)


@jax.jit
def where_with_size(x):
    return jnp.where(x > 0, size=4)[0]


@jax.jit
def unique_with_fill(x):
    """A value to fill with says nothing of how many there are."""
    return jnp.unique(x, return_counts=True)  # expect: TL527


@jax.jit
def unique_sized(x):
    return jnp.unique(x, size=8, fill_value=0)


@jax.jit
def nonzero_options(x, options):
    """What the options say nobody can see."""
    return jnp.nonzero(x, **options)


@jax.jit
def unique_of_static(x):
    """A table of the host: its sizes are there."""
    order = jnp.unique(jnp.shape(x)[0])
    return x * order


@jax.jit
def repeated_by_counts(x, counts):
    return jnp.repeat(x, counts.astype(jnp.int32))  # expect: TL527


@jax.jit
def repeated_by_name(x, counts):
    counts = counts.astype(jnp.int32)
    return jnp.repeat(x, repeats=counts)  # expect: TL527


@jax.jit
def repeated_to_length(x, counts):
    counts = counts.astype(jnp.int32)
    return jnp.repeat(x, counts, total_repeat_length=16)


@jax.jit
def repeated_by_number(x):
    return jnp.repeat(x, 4)


def positives(scores):
    """Outside of traces, in the rounds of a loop: each size is compiled."""
    found = []
    for row in range(len(scores)):
        found.append(jnp.nonzero(scores[row]))  # expect: TL527
    return found


def positives_sized(scores):
    found = []
    for row in range(len(scores)):
        found.append(jnp.nonzero(scores[row], size=4))
    return found


def positives_once(scores):
    """Without a loop it is compiled once."""
    return jnp.nonzero(scores)


def positives_on_host(scores):
    found = []
    for row in range(len(scores)):
        found.append(np.nonzero(scores[row]))
    return found


def chosen(scores):
    found = []
    for row in range(len(scores)):
        found.append(jnp.where(scores[row] > 0, scores[row], 0.0))
    return found


def listed(scores):
    """In a comprehension as well; in one that is short it is a matter of taste, but each size is compiled."""
    return np.stack([np.where(row > 0)[0] for row in scores])


@jax.jit
def up_to_count(x, keep):
    count = jnp.sum(keep)
    return x[:count] * 2  # expect: TL527


@jax.jit
def up_to_shape(x):
    half = x.shape[0] // 2
    return x[:half]


@jax.vmap
def window(x, count):
    """Under ``vmap`` no argument can be static."""
    return x[: count.astype(jnp.int32)].mean()  # expect: TL527


@functools.partial(jax.jit, static_argnums=1)
def window_static(x, count):
    return x[:count].mean()


@eqx.filter_jit
def picked_in_filter(model, x: jax.Array):
    return model(x[x > 0])  # expect: TL527
