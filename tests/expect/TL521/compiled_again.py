"""Compiled again in each round, in another function or under another name, and neighbours that are not."""
# Modelled on google/flax (imagenet) and mlcommons/algorithmic-efficiency (imagenet_jax).

import functools

import equinox as eqx
import jax
from flax import nnx
from jax import jit as compiled
from jax import lax


class Workload:
    def _eval_model(self, params, images):
        return (images @ params).sum()

    def evaluate(self, params, split, batches):
        total = 0
        for _ in range(batches):
            batch = next(split)
            evaluated = jax.pmap(self._eval_model, axis_name="batch", in_axes=(None, 0))  # expect: TL521
            total += evaluated(params, batch)
        return total

    @functools.partial(jax.pmap, axis_name="batch", static_broadcasted_argnums=(0,))
    def decorated(self, params, images):
        return (images @ params).sum()

    def evaluate_well(self, params, split, batches):
        return sum(self.decorated(params, next(split)) for _ in range(batches))


def average(state):
    def mean(x):
        return lax.pmean(x, "batch")

    return jax.pmap(mean, axis_name="batch")(state)  # expect: TL521


def loop(state, batches, step):
    for number, batch in enumerate(batches):
        state = step(state, batch)
        if number % 100 == 0:
            state = average(state)
    return state


def advance(model, optimizer, loader):
    while True:
        batch = next(loader, None)
        if batch is None:
            break
        loss = eqx.filter_jit(lambda m, b: m(b).mean())(model, batch)  # expect: TL521
        optimizer.update(loss)


def renamed(params, batches):
    for batch in batches:
        params = compiled(lambda p, b: p - b)(params, batch)  # expect: TL521
    return params


def initial(model, key, batches):
    return [jax.jit(model.init)(key, batch) for batch in batches]


def compile_all(functions, x):
    return {name: jax.jit(lambda y, f=function: f(y)).lower(x).compile() for name, function in functions.items()}


def create_state(model, key, x):
    return jax.jit(lambda k: model.init(k, x))(key)


def trials(model, keys, x):
    return [create_state(model, key, x) for key in keys]


@functools.lru_cache
def kept(scale):
    return jax.jit(lambda x: x * scale)(1.0)


def many(scales):
    return [kept(scale) for scale in scales]


def stored(steps, sizes, x):
    for size in sizes:
        if size not in steps:
            steps[size] = nnx.jit(lambda y: y + 1)
        x = steps[size](x)
    return x


def in_a_traced_one(state, batches):
    def body(carry, batch):
        return jax.jit(lambda c: c + batch)(carry), None

    return lax.scan(body, state, batches)
