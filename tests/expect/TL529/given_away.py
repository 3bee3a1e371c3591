"""Values that are given away and read, or given away again; and those that take the result's place."""
# Modelled on huggingface/diffusers (training in Flax), google/brax (acting, evaluation), AI-Hypercomputer/maxtext
# and google-research/scenic (its memory).

import functools

import jax
import jax.numpy as jnp
import numpy as np
from flax import jax_utils


def train(state, batches, train_step, evaluate):
    p_train_step = jax.pmap(train_step, "batch", donate_argnums=(0,))
    state = jax_utils.replicate(state)
    for number, batch in enumerate(batches):
        new_state, metrics = p_train_step(state, batch)
        if number % 100 == 0:
            print(np.asarray(state.params))  # expect: TL529
        state = new_state
    return state


def benchmark(step, state, batch, rounds):
    step = jax.jit(step, donate_argnums=0)
    for _ in range(rounds):
        step(state, batch).block_until_ready()  # expect: TL529


def warmed_up(step, state, batches):
    step = jax.jit(step, donate_argnums=0)
    state = step(state, batches[0])
    for batch in batches:
        state, metrics = step(state, batch)
        print(jax.device_get(metrics), state.step)
    return jax.device_get(state)


class Evaluator:
    def __init__(self, evaluate, state):
        self._evaluate = jax.jit(evaluate, donate_argnums=(0,), keep_unused=True)
        self._state_to_donate = state

    def run(self, params):
        result = self._evaluate(self._state_to_donate, params)
        self._state_to_donate = result
        return jnp.mean(result)


@functools.partial(jax.jit, donate_argnums=(1,))
def insert(prefix, cache, slot):
    return cache.at[slot].set(prefix)


def filled(prefixes, cache):
    for slot, prefix in enumerate(prefixes):
        cache = insert(prefix, cache, slot)
    return cache


def one_branch(prefix, cache, slot, dry):
    if dry:
        shown = insert(prefix, jnp.copy(cache), slot)
    else:
        shown = insert(prefix, cache, slot)
        cache = shown
    return jnp.sum(shown), jnp.sum(cache)


def until_it_works(step, state, batch):
    step = jax.jit(step, donate_argnums=0)
    while True:
        try:
            return step(state, batch)
        except jax.errors.JaxRuntimeError as error:
            print(error)


def made_in_each_round(step, make, batches):
    step = jax.jit(step, donate_argnums=0)
    return [step(make(), batch) for batch in batches]


class Memory:
    def __init__(self, model):
        self.model = model
        self.encode_pmap = jax.pmap(self.encode, donate_argnums=(0, 1), axis_name="batch")

    def encode(self, knowledge, state):
        head, value = self.model.apply({"params": state.params}, knowledge)
        return jax.lax.all_gather(head, "batch"), value

    def filled(self, texts, state):
        return [np.asarray(self.encode_pmap({"text": text}, state)[0]) for text in texts]
