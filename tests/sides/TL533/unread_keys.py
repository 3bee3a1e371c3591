"""Keys that are split off, or handed over, and that nobody reads."""

import jax
from jax import random


def one_unread(key, shape):
    noise_key, drop_key = random.split(key)  # expect: TL533
    return random.normal(noise_key, shape)


def both_read(key, shape):
    noise_key, drop_key = random.split(key)
    return random.normal(noise_key, shape) + random.uniform(drop_key, shape)


def rest_of_the_same_name(key, shape):
    key, drop_key = random.split(key)
    return random.normal(drop_key, shape)


def left_for_later(key, shape):
    next_key, drop_key = random.split(key)
    return random.normal(drop_key, shape)


def said_to_be_unread(key, shape):
    _spare, drop_key = random.split(key)
    return random.normal(drop_key, shape)


def in_attempt(key, shape):
    """What is read behind a failure is another matter."""
    try:
        noise_key, drop_key = random.split(key)
    except TypeError:
        noise_key = key
    return random.normal(noise_key, shape)


def read_inside(key, shape):
    noise_key, drop_key = random.split(key)

    def drop(x):
        return x * random.bernoulli(drop_key, 0.5, x.shape)

    return drop(random.normal(noise_key, shape))


def handed_inside_as_default(key, shape):
    noise_key, drop_key = random.split(key)

    def drop(x, given=drop_key):
        return x * random.bernoulli(given, 0.5, x.shape)

    return drop(random.normal(noise_key, shape))


def kept_inside(key, shape):
    noise_key, drop_key = random.split(key)

    def later():
        again = drop_key
        return again

    return random.normal(noise_key, shape), later


def in_a_text(key, shape):
    noise_key, drop_key = random.split(key)
    print(f"drops with {drop_key}")
    return random.normal(noise_key, shape)


def by_another_name(key, shape):
    noise_key, drop_key = random.split(key)
    other = drop_key
    return random.normal(noise_key, shape) + random.uniform(other, shape)


def bound_again_and_unread(key, shape):
    """A second name is not yet a use, but somebody meant something by it."""
    noise_key, drop_key = random.split(key)
    spare_noise = drop_key
    return random.normal(noise_key, shape)


def all_parts(key, shape):
    keys = random.split(key)
    return random.normal(keys[0], shape)


def in_a_dict(key, shape):
    noise_key, drop_key = random.split(key)
    return {"noise": random.normal(noise_key, shape), "drop": drop_key}


def in_rounds(key, batches):
    out = []
    for batch in batches:
        key, noise_key, drop_key = random.split(key, 3)  # expect: TL533
        out.append(batch + random.normal(noise_key, batch.shape))
    return out


def read_in_the_next_round(key, batches):
    drop_key = key
    out = []
    for batch in batches:
        out.append(batch * random.bernoulli(drop_key, 0.5, batch.shape))
        key, drop_key = random.split(key)
    return out


def part_of_a_part(keys, shape):
    """Of a list of keys one is split: its ends are what is left."""
    first, second = random.split(keys[0])
    return random.normal(second, shape)


def middle_of_a_part(keys, shape):
    first, middle, second = random.split(keys[0], 3)  # expect: TL533
    return random.normal(second, shape) + random.normal(first, shape)


def in_comprehension(key, shapes):
    noise_key, drop_key = random.split(key)
    return [random.normal(k, shape) for shape in shapes for k in (noise_key, drop_key)]


def filtered_by(key, shapes):
    noise_key, drop_key = random.split(key)
    return [random.normal(noise_key, shape) for shape in shapes if drop_key is not None]


def noisy(x, drop_key):
    print("adds nothing to", x.shape)
    return x * 2


def hands_over(x, key):
    return noisy(x, random.fold_in(key, 3))  # expect: TL533


def noisy_from_unknown(x, drop_key):
    print("adds nothing to", x.shape)
    return x * 2


def hands_over_unknown(x, value):
    """Whether this is a key nobody sees."""
    return noisy_from_unknown(x, value)


def stub(x, drop_key):
    raise NotImplementedError


def hands_to_a_stub(x, key):
    return stub(x, random.fold_in(key, 3))


def short(x, drop_key):
    return x * 2


def hands_to_a_short_one(x, key):
    """One line that returns: an identity, whose parameters belong to an interface."""
    return short(x, random.fold_in(key, 3))


def passes_over(x, drop_key):
    total = x * 2
    total = total + 1
    return total


def hands_to_one_without_calls(x, key):
    return passes_over(x, random.fold_in(key, 3))


def rebinds(x, drop_key):
    drop_key = None
    print("without noise", drop_key)
    return x * 2


def hands_to_one_that_rebinds(x, key):
    return rebinds(x, random.fold_in(key, 3))


def noisy_with_default(x, drop_key=None):
    print("adds nothing to", x.shape)
    return x * 2


def leaves_the_default(x):
    return noisy_with_default(x)


class Layer:
    def forward(self, x, drop_key):
        print("adds nothing to", x.shape)
        return x * 2


def hands_to_a_method(x, key):
    return Layer().forward(x, random.fold_in(key, 3))  # expect: TL533


class Family:
    def forward(self, x, drop_key):
        print("adds nothing to", x.shape)
        return x * 2


class Child(Family):
    def forward(self, x, drop_key):
        return x + random.normal(drop_key, x.shape)


def hands_to_a_family(x, key):
    return Family().forward(x, random.fold_in(key, 3))


def hands_to_inner(x, key):
    """A function defined inside may be handed on."""

    def inner(y, drop_key):
        print("adds nothing to", y.shape)
        return y * 2

    return inner(x, random.fold_in(key, 3))


@jax.jit
def decorated(x, drop_key):
    print("adds nothing to", x.shape)
    return x * 2


def hands_to_a_decorated_one(x, key):
    return decorated(x, random.fold_in(key, 3))


def read_in_comprehension(x, drop_key):
    print("adds noise to", x.shape)
    return [random.normal(k, x.shape) for k in random.split(drop_key)]


def hands_to_one_that_reads(x, key):
    return read_in_comprehension(x, random.fold_in(key, 3))
