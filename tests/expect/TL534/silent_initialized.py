"""A constant key that a model's parameters begin with, in a function that is mapped over what it is fitted for."""

import jax
import jax.numpy as jnp
from jax import random


def compare(model, emissions, probabilities):
    def fit(initial):
        key, _ = random.split(random.PRNGKey(0))
        params = model.initialize(key, initial_probs=initial)
        return model.fit(params, emissions)

    return jax.vmap(fit)(jnp.stack(probabilities))


class Model:
    def initialize(self, key, initial_probs):
        return {"weights": random.normal(key, (3,)), "initial": initial_probs}
