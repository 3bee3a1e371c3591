"""Effects that happen while tracing, in steps, agents and what they call."""
# Modelled on vwxyzjn/cleanrl (jax agents), ikostrikov/jaxrl (learners), google/brax (envs), google-research/big_vision.

from functools import partial
import logging
import random
from time import perf_counter

import jax
import jax.numpy as jnp
import numpy as np

cache = {}


def domain_randomised(system):
    return system * np.random.uniform(0.8, 1.2)  # expect: TL524


def noisy(values):
    scale = 2.0 if random.random() > 0.5 else 1.0  # expect: TL524
    return domain_randomised(values) * scale


class Learner:
    def __init__(self):
        self.info = {}
        self.losses = []

    @partial(jax.jit, static_argnums=0)
    def update(self, actor, batch):
        began = perf_counter()  # expect: TL524
        loss = jnp.mean(noisy(batch) @ actor)
        self.info["loss"] = loss  # expect: TL524
        self.losses.append(loss)  # expect: TL524
        logging.info("loss %s", loss)  # expect: TL524
        return actor - loss, began


def rollout(policy, states):
    seen = []

    @jax.jit
    def one(state):
        action = state @ policy
        seen.append(action)  # expect: TL524
        cache["last"] = action  # expect: TL524
        return action

    return [one(state) for state in states], seen
