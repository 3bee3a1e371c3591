"""Keys beside what is mapped: which axes are said, where the key comes from, and what else is mapped."""

import functools

import jax
from jax import random


def decode(params, inputs, key):
    return inputs @ params + random.gumbel(key, inputs.shape)


def plain(params, inputs, key):
    return jax.vmap(decode, in_axes=(None, 0, None))(params, inputs, key)  # expect: TL532


def by_position(params, inputs, key):
    return jax.vmap(decode, (None, 0, None))(params, inputs, key)  # expect: TL532


def as_a_list(params, inputs, key):
    return jax.vmap(decode, in_axes=[None, 0, None])(params, inputs, key)  # expect: TL532


def with_own_keys(params, inputs, keys):
    return jax.vmap(decode, in_axes=(None, 0, 0))(params, inputs, keys)


def axes_from_somewhere(params, inputs, key, axes):
    return jax.vmap(decode, in_axes=axes)(params, inputs, key)


def one_axis_for_all(params, inputs, key):
    """Zero for every argument: the key is mapped as well."""
    return jax.vmap(decode, in_axes=0)(params, inputs, key)


def second_axis(params, inputs, key):
    return jax.vmap(decode, in_axes=(None, 1, None))(params, inputs, key)  # expect: TL532


def with_out_axes(params, inputs, key):
    return jax.vmap(decode, in_axes=(None, 0, None), out_axes=1)(params, inputs, key)  # expect: TL532


def axis_by_setting(params, inputs, key, axis):
    return jax.vmap(decode, in_axes=(None, axis, None))(params, inputs, key)  # expect: TL532


def kept_mapping(params, inputs, key):
    mapped = jax.vmap(decode, in_axes=(None, 0, None))
    return mapped(params, inputs, key)  # expect: TL532


def new_key_at_the_call(params, inputs, seed):
    return jax.vmap(decode, in_axes=(None, 0, None))(params, inputs, random.PRNGKey(seed))  # expect: TL532


def members(params, inputs, key):
    """Only the parameters are mapped: compared under the same noise."""
    return jax.vmap(decode, in_axes=(0, None, None))(params, inputs, key)


def two_of_one(first, second, key):
    return first * random.normal(key, first.shape) + second


def examples_and_weights(first, second, key):
    return jax.vmap(two_of_one, in_axes=(0, None, None))(first, second, key)  # expect: TL532


def fold(params, inputs, key):
    return inputs @ params + random.gumbel(random.fold_in(key, inputs.sum()), inputs.shape)


def folded(params, inputs, key):
    return jax.vmap(fold, in_axes=(None, 0, None))(params, inputs, key)


def without_draw(params, inputs, key):
    return inputs @ params


def not_drawn(params, inputs, key):
    return jax.vmap(without_draw, in_axes=(None, 0, None))(params, inputs, key)


def pair(params, inputs, keys):
    return inputs @ params + random.gumbel(keys[0], inputs.shape)


def part_of_pair(params, inputs, keys):
    """Of a tuple of keys one is used: that is not followed here."""
    return jax.vmap(pair, in_axes=(None, 0, None))(params, inputs, keys)


def from_around(images, rng):
    def one(image):
        return image + random.normal(rng, image.shape)

    return jax.vmap(one)(images)  # expect: TL532


def from_around_by_row(images, rng):
    """The key is made inside, of what the function is given."""

    def one(image, index):
        key = random.fold_in(rng, index)
        return image + random.normal(key, image.shape)

    return jax.vmap(one)(images, jax.numpy.arange(len(images)))


def from_around_sometimes(images, rng, noisy):
    """Under a test: some may go without noise."""

    def one(image):
        if noisy:
            image = image + random.normal(rng, image.shape)
        return image

    return jax.vmap(one)(images)


def from_around_of_a_loop(images, keys):
    """The key is another one in each round, but one for all that is mapped."""
    out = []
    for key in keys:

        def one(image, key=key):
            return image + random.normal(key, image.shape)

        out.append(jax.vmap(one)(images))
    return out


def made_inside(images):
    def one(image):
        return image + random.normal(random.PRNGKey(3), image.shape)  # expect: TL534

    return jax.vmap(one)(images)


def given_inside(images, keys):
    def one(image, key):
        return image + random.normal(key, image.shape)

    return jax.vmap(one)(images, keys)


def over_devices(state, batch, key):
    step = jax.pmap(decode, in_axes=(None, 0, None))
    return step(state, batch, key)  # expect: TL532


def by_partial(params, inputs, key):
    """The parameters are given before."""
    mapped = jax.vmap(functools.partial(decode, params), in_axes=(0, None))
    return mapped(inputs, key)


@functools.partial(jax.vmap, in_axes=(0, None))
def noisy(image, key):
    return image + random.normal(key, image.shape)


def chosen_function(params, inputs, key, deep):
    """One of two functions: which nobody sees."""
    mapped = jax.vmap(decode if deep else without_draw, in_axes=(None, 0, None))
    return mapped(params, inputs, key)


def by_keyword(params, inputs, key):
    """What is given by its name is mapped over its first axis, whatever ``in_axes`` says."""
    return jax.vmap(decode, in_axes=(None, 0))(params, inputs, key=random.split(key, 4))
