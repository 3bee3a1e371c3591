"""Training steps of JAX that loops call, and what compiles them."""

from functools import partial

import jax
import jax.numpy as jnp


def loss_fn(params, x):
    return jnp.mean((x @ params) ** 2)


@jax.jit
def compiled_loss(params, x):
    return jnp.mean((x @ params) ** 2)


def step(state, x):
    loss, grads = jax.value_and_grad(loss_fn)(state.params, x)
    return state.apply_gradients(grads=grads)


def fit(state, batches):
    for x in batches:
        state = step(state, x)  # expect: TL531
    return state


def step_with_compiled_loss(state, x):
    loss, grads = jax.value_and_grad(compiled_loss)(state.params, x)
    return state.apply_gradients(grads=grads)


def fit_with_compiled_loss(state, batches):
    for x in batches:
        state = step_with_compiled_loss(state, x)
    return state


@partial(jax.jit)
def compiled_step(state, x):
    loss, grads = jax.value_and_grad(loss_fn)(state.params, x)
    return state.apply_gradients(grads=grads)


def fit_compiled(state, batches):
    for x in batches:
        state = compiled_step(state, x)
    return state


def step_once(state, x):
    loss, grads = jax.value_and_grad(loss_fn)(state.params, x)
    return state.apply_gradients(grads=grads)


def fit_once(state, x):
    return step_once(state, x)


def step_handed_on(state, x):
    loss, grads = jax.value_and_grad(loss_fn)(state.params, x)
    return state.apply_gradients(grads=grads)


def fit_handed_on(state, batches, wrap):
    """What is made of it nobody sees."""
    wrapped = wrap(step_handed_on)
    for x in batches:
        state = step_handed_on(state, x)
    return state, wrapped


def step_handed_by_name(state, x):
    loss, grads = jax.value_and_grad(loss_fn)(state.params, x)
    return state.apply_gradients(grads=grads)


def fit_handed_by_name(state, batches, loop):
    for x in batches:
        state = step_handed_by_name(state, x)
    return loop(state, run=step_handed_by_name)


def log(function):
    return function


@log
def decorated_step(state, x):
    """What its decorator does may be to compile it."""
    loss, grads = jax.value_and_grad(loss_fn)(state.params, x)
    return state.apply_gradients(grads=grads)


def fit_decorated(state, batches):
    for x in batches:
        state = decorated_step(state, x)
    return state


def only_gradients(state, x):
    return jax.grad(loss_fn)(state.params, x)


def fit_only_gradients(state, batches):
    return [only_gradients(state, x) for x in batches]


def whole_training(state, batches):
    """The loop is in it: it is called once for each setting."""
    for x in batches:
        loss, grads = jax.value_and_grad(loss_fn)(state.params, x)
        state = state.apply_gradients(grads=grads)
    return state


def fit_settings(states, batches):
    return [whole_training(state, batches) for state in states]


def step_in_a_trace(state, x):
    loss, grads = jax.value_and_grad(loss_fn)(state.params, x)
    return state.apply_gradients(grads=grads)


@jax.jit
def several(state, xs):
    for x in xs:
        state = step_in_a_trace(state, x)
    return state


def step_of_somebodys_loss(state, x, loss):
    """Whether the loss is compiled nobody sees."""
    value, grads = jax.value_and_grad(loss)(state.params, x)
    return state.apply_gradients(grads=grads)


def fit_of_somebodys_loss(state, batches, loss):
    for x in batches:
        state = step_of_somebodys_loss(state, x, loss)
    return state


class Trainer:
    def __init__(self, state):
        self.state = state

    def step(self, x):
        loss, grads = jax.value_and_grad(loss_fn)(self.state.params, x)
        self.state = self.state.apply_gradients(grads=grads)
        return loss

    def fit(self, batches):
        return [self.step(x) for x in batches]  # expect: TL531


class PlainTrainer:
    def update_state(self, state, x):
        loss, grads = jax.value_and_grad(loss_fn)(state.params, x)
        return state.apply_gradients(grads=grads)

    def fit(self, state, batches):
        for x in batches:
            state = self.update_state(state, x)  # expect: TL531
        return state


def made(rate):
    def inner_step(state, x):
        loss, grads = jax.value_and_grad(loss_fn)(state.params, x * rate)
        return state.apply_gradients(grads=grads)

    def run(state, batches):
        for x in batches:
            state = inner_step(state, x)  # expect: TL531
        return state

    return run
