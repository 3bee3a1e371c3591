"""Agents and trainers whose compiled functions read what changes later."""
# Modelled on ikostrikov/jaxrl (learners), vwxyzjn/cleanrl (jax agents), google/brax (envs).

from functools import partial

import jax
import jax.numpy as jnp

_phase = "warmup"


def advance():
    global _phase
    _phase = "train"


@partial(jax.pmap, axis_name="i")
def step(params, grads):
    rate = 0.01 if _phase == "warmup" else 0.1  # expect: TL551
    return params - rate * grads


class Agent:
    def __init__(self, env):
        self.env = env
        self.epsilon = 1.0
        self.explore = True

    def _noise(self, key, shape):
        return self.epsilon * jax.random.normal(key, shape)  # expect: TL551

    @partial(jax.jit, static_argnums=(0,))
    def act(self, params, observation, key):
        action = observation @ params
        if self.explore:  # expect: TL551
            action = action + self._noise(key, action.shape)
        return jnp.tanh(action)

    def anneal(self, step):
        self.epsilon *= 0.99


def evaluate(env, params, observations, key):
    agent = Agent(env)
    agent.explore = False
    return [agent.act(params, each, key) for each in observations]
