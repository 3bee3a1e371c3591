"""Functions that are compiled in the rounds of a loop: what they are made of, what keeps them, and which loops have many rounds."""

import functools
from functools import partial

import jax
import jax.numpy as jnp


def update(params, batch, rate=0.1):
    return params - rate * batch


def of_lambda(params, batches):
    for batch in batches:
        params = jax.jit(lambda p: p * 2)(params)  # expect: TL521
    return params


def of_a_named_one(params, batches):
    for batch in batches:
        params = jax.jit(update)(params, batch)
    return params


def of_partial(params, batches):
    for batch in batches:
        params = jax.jit(partial(update, rate=0.5))(params, batch)  # expect: TL521
    return params


def of_one_partial(params, batches):
    """One partial, made before: what was compiled is kept by it."""
    bound = partial(update, rate=0.5)
    for batch in batches:
        params = jax.jit(bound)(params, batch)
    return params


def of_one_gradient(params, batches):
    gradient = jax.grad(update)
    for batch in batches:
        params = params - jax.jit(gradient)(params, batch)
    return params


def of_one_inner_function(params, batches):
    def halve(p):
        return p / 2

    for batch in batches:
        params = jax.jit(halve)(params)
    return params


def of_one_lambda(params, batches):
    halve = lambda p: p / 2  # noqa: E731
    for batch in batches:
        params = jax.jit(halve)(params)
    return params


def of_gradient(params, batches):
    for batch in batches:
        params = params - jax.jit(jax.grad(update))(params, batch)  # expect: TL521
    return params


def with_a_name(params, batches):
    for batch in batches:
        step = jax.jit(lambda p, b: p - b)  # expect: TL521
        params = step(params, batch)
    return params


def never_called(params, batches):
    """It is only made, perhaps for somebody else."""
    steps = []
    for batch in batches:
        steps.append(jax.jit(lambda p, b: p - b))
    return steps


def called_behind(params, batches):
    """The call stands behind the loop: one compilation."""
    for batch in batches:
        step = jax.jit(lambda p, b: p - b)
    return step(params, batch)


def kept_in_a_dict(params, batches, cache):
    for index, batch in enumerate(batches):
        step = jax.jit(lambda p, b: p - b)
        cache["step"] = step
        params = step(params, batch)
    return params


def written_down(params):
    for size in (1, 2):
        params = jax.jit(lambda p: p * 2)(params)
    return params


def written_down_and_numbered(params):
    for index, size in enumerate([1, 2]):
        params = jax.jit(lambda p: p * 2)(params)
    return params


def counted_twice(params):
    """A range of one round."""
    for _ in range(1):
        params = jax.jit(lambda p: p * 2)(params)
    return params


def counted(params):
    for _ in range(1000):
        params = jax.jit(lambda p: p * 2)(params)  # expect: TL521
    return params


def while_loop(params):
    while True:
        params = jax.jit(lambda p: p * 2)(params)  # expect: TL521
        if params.shape[0] > 3:
            break
    return params


def about_the_round(params, batches):
    for batch in batches:
        params = jax.jit(lambda p: p - batch)(params)
    return params


def about_what_the_round_made(params, batches):
    """It holds what this round computed: another function each time."""
    for batch in batches:
        mean = batch.mean()
        params = jax.jit(lambda p: p - mean)(params)
    return params


def about_what_it_computes(params, batches):
    """What it computes itself is no part of the round."""
    for batch in batches:
        params = jax.jit(lambda p: p - jnp.mean(p))(params)  # expect: TL521
    return params


def about_the_count(params, batches):
    count = 0
    for batch in batches:
        params = jax.jit(lambda p: p - count)(params)
        count = count + 1
    return params


def about_another_loop(params, batches, rates):
    """The loop that it is about is over."""
    for rate in rates:
        total = rate
    for batch in batches:
        params = jax.jit(lambda p: p * total)(params)  # expect: TL521
    return params


def deep_about_the_round(params, batches):
    for batch in batches:

        def step(p):
            def inner(q):
                return q - batch

            return inner(p)

        params = jax.jit(step)(params)
    return params


def deep_about_nothing(params, batches):
    for batch in batches:

        def step(p):
            def inner(q):
                return q * 2

            return inner(p)

        params = jax.jit(step)(params)  # expect: TL521
    return params


def options_of_the_round(params, batches, shardings):
    for batch, sharding in zip(batches, shardings):
        params = jax.jit(lambda p: p * 2, out_shardings=sharding)(params)
    return params


def in_a_comprehension(batches):
    return [jax.jit(lambda b: b * 2)(batch) for batch in batches]  # expect: TL521


class Trainer:
    def __init__(self, model):
        self.model = model
        self.step = None

    def forward(self, batch):
        return self.model(batch)

    @staticmethod
    def doubled(batch):
        return batch * 2

    def run(self, batches):
        for batch in batches:
            jax.jit(self.forward)(batch)  # expect: TL521

    def run_with_options(self, batches):
        for batch in batches:
            jax.jit(self.forward, donate_argnums=0)(batch)  # expect: TL521

    def run_named(self, batches):
        for batch in batches:
            step = jax.jit(self.forward)  # expect: TL521
            step(batch)

    def run_twice(self, batches):
        for batch in batches:
            step = jax.jit(self.forward)  # expect: TL521
            step(batch)
            step(batch)

    def run_static(self, batches):
        """A static method is one function, whoever asks for it."""
        for batch in batches:
            jax.jit(self.doubled)(batch)

    def run_of_another(self, batches, other):
        """What another object hands out may be one function."""
        for batch in batches:
            jax.jit(other.forward)(batch)

    def run_kept(self, batches):
        for batch in batches:
            self.step = jax.jit(self.forward)
            self.step(batch)

    def run_in_a_list(self, batches):
        return [jax.jit(self.forward)(batch) for batch in batches]  # expect: TL521


def step_once(params, batch):
    return jax.jit(lambda p: p - batch)(params)  # expect: TL521


def called_in_rounds(params, batches):
    for batch in batches:
        params = step_once(params, batch)
    return params


def step_alone(params, batch):
    return jax.jit(lambda p: p - batch)(params)


def called_once(params, batch):
    return step_alone(params, batch)


def step_few(params, batch):
    return jax.jit(lambda p: p - batch)(params)


def called_for_a_few(params, first, second):
    for batch in (first, second):
        params = step_few(params, batch)
    return params


def step_traced(params, batch):
    return jax.jit(lambda p: p - batch)(params)


@jax.jit
def called_in_a_trace(params, batches):
    for batch in batches:
        params = step_traced(params, batch)
    return params


def make_step(rate):
    """Its name says that it is called once, and it is not: each rate is compiled."""
    step = jax.jit(lambda p, b: p - rate * b)  # expect: TL521
    step(jnp.zeros(3), jnp.ones(3))
    return step


def swept(params, batch, rates):
    for rate in rates:
        params = make_step(rate)(params, batch)
    return params


@functools.lru_cache
def step_cached(rate):
    step = jax.jit(lambda p, b: p - rate * b)
    step(jnp.zeros(3), jnp.ones(3))
    return step


def cached_in_rounds(params, batches):
    for batch in batches:
        params = step_cached(0.1)(params, batch)
    return params


def halves(params, batch):
    """A generator goes on where it stopped."""
    step = jax.jit(lambda p: p / 2)
    while True:
        params = step(params)
        yield params


def generators_in_rounds(params, batches):
    for batch in batches:
        params = next(halves(params, batch))
    return params


def recursive(params, depth):
    for _ in range(depth):
        params = jax.jit(lambda p: p / 2)(params)  # expect: TL521
        params = recursive(params, depth - 1)
    return params
