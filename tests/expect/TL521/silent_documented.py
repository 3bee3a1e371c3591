"""Idioms of ``jit`` from the documentation of JAX, Flax and Optax: each compiles a function once."""

import functools

import jax
import jax.numpy as jnp
from flax import nnx


def selu(x, alpha=1.67):
    return jnp.where(x > 0, x, alpha * jnp.exp(x) - alpha)


def one_function_in_a_loop(xs):
    return [jax.jit(selu)(x) for x in xs]


def of_the_library(key, steps):
    return [jax.jit(jax.random.fold_in)(key, step) for step in range(steps)]


def compiled_before(xs, scale):
    scaled = jax.jit(lambda x: scale * selu(x))
    return [scaled(x) for x in xs]


@functools.lru_cache
def compiled_for(width):
    return jax.jit(lambda x: jnp.pad(x, width))


def padded(xs):
    return [compiled_for(len(x) % 8)(x) for x in xs]


class Agent:
    def __init__(self, update):
        self._update = jax.jit(update)

    @functools.partial(jax.jit, static_argnums=0)
    def act(self, params, observation):
        return observation @ params

    def run(self, state, batches):
        for batch in batches:
            state = self._update(state, self.act(state, batch))
        return state


def ahead_of_time(step, state, batches):
    compiled = jax.jit(step).lower(state, batches[0]).compile()
    for batch in batches:
        state = compiled(state, batch)
    return state


def made_by_a_factory(optimizer):
    @jax.jit
    def update(params, state, grads):
        return optimizer.update(grads, state, params)

    return update


def trained(optimizer, params, state, batches, gradient):
    update = made_by_a_factory(optimizer)
    for batch in batches:
        params, state = update(params, state, gradient(params, batch))
    return params


def another_function_each_time(functions, x):
    for function in functions:
        x = jax.jit(function)(x)
    return x


def one_model_each(models, x):
    return [jax.jit(model.apply)({}, x) for model in models]


@nnx.jit
def nnx_step(model, optimizer, x):
    loss, grads = nnx.value_and_grad(lambda model: jnp.mean(model(x) ** 2))(model)
    optimizer.update(model, grads)
    return loss


def nnx_trained(model, optimizer, batches):
    return [nnx_step(model, optimizer, batch) for batch in batches]


def inside_of_a_trace(xs):
    @jax.jit
    def outer(xs):
        return [jax.jit(lambda x: x * 2)(x) for x in xs]

    return outer(xs)


def sharded_once(shapes, mesh, spec):
    make = jax.jit(lambda: jax.tree.map(jnp.zeros, shapes), out_shardings=jax.NamedSharding(mesh, spec))
    return make()
