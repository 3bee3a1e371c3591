"""State that nobody changes, that is handed over, or that is compiled anew."""
# Modelled on ikostrikov/jaxrl (learners), google/brax (envs), google-research/big_vision, vwxyzjn/cleanrl.

from functools import partial

import flax.linen as nn
import jax
import jax.numpy as jnp

DEBUG = False
_initialized = False


def setup():
    global _initialized
    _initialized = True


class Learner:
    def __init__(self, discount, period=2):
        self.discount = discount
        self.period = period
        self.steps = 1
        self.training = True
        self._act = jax.jit(partial(self._pick, 0.5))

    @partial(jax.jit, static_argnames=("self", "soft"))
    def _target(self, values, soft):
        if soft or DEBUG:
            values = values * 0.5
        return self.discount * values if self.period > 1 else values

    def _pick(self, temperature, values):
        return jnp.argmax(values / temperature)

    def update(self, values):
        self.steps += 1
        self.training = False
        soft = self.steps % self.period == 0
        return self._target(values, soft) if self.training else self._act(values)


class Net(nn.Module):
    train: bool = True

    @nn.compact
    def __call__(self, x):
        if self.train:
            x = x * 2
        return nn.Dense(1)(x)


@jax.jit
def forward(params, x):
    return Net(train=False).apply(params, x)


class Schedule:
    def __init__(self):
        self.beta = 0.0

    def loss(self, params, beta):
        return params * beta

    def run(self, params):
        compiled = jax.jit(self.loss)
        for _ in range(3):
            self.beta += 0.1
            params = compiled(params, self.beta)
        return params
