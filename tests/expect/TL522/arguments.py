"""Arguments that have to be static, and static ones that change."""
# Modelled on ikostrikov/jaxrl (learners), AI-Hypercomputer/maxtext (maxengine), google-research/big_vision (decode), google/brax.

import functools
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, donate_argnums=(0,))
def sample_actions(rng, actor, observations, num_samples: int):
    keys = jax.random.split(rng, num_samples)  # expect: TL522
    return jax.vmap(lambda key: actor(observations, key))(keys)


def _update(rng, critic, batch, tau, update_target=False):
    if update_target:  # expect: TL522
        critic = critic * tau
    return rng, critic


update = jax.jit(_update, static_argnames="tau")


def learn(rng, critic, batches):
    for step, batch in enumerate(batches):
        rng, critic = update(rng, critic, batch, 0.005, step % 2 == 0)
    return critic


class Decoder:
    @functools.partial(jax.jit, static_argnums=(0,))
    def prefill(self, tokens, true_length):
        mask = jnp.arange(tokens.shape[0]) < true_length
        cache = jnp.zeros((true_length, 8))  # expect: TL522
        return tokens[:true_length] + mask.sum(), cache  # expect: TL522

    @partial(jax.jit, static_argnums=(0, 3))
    def generate(self, params, token, position):
        return params[position] * token

    def run(self, params, token):
        position = 0
        while True:
            token = self.generate(params, token, position)  # expect: TL522
            position += 1
            if position > 100:
                return token


step = jax.jit(lambda params, batch, index: params - batch / (index + 1), static_argnums=(2,))


def train(params, batches):
    for index in range(len(batches)):
        params = step(params, batches[index], index)  # expect: TL522
    return params


def evaluate(params, batches):
    for index, batch in enumerate(batches):
        params = step(params, batch, index=index)  # expect: TL522
    return params
