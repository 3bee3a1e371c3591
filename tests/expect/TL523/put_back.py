"""An object puts back the very key that it gave away, in place of a new one."""

from functools import partial

import jax
import jax.numpy as jnp


class Agent:
    def __init__(self, seed):
        self.key = jax.random.key(seed)
        self.state = jnp.zeros(3)

    def train(self, rounds):
        self.state, self.key, _ = self._train(self.state, rounds, self.key)  # expect: TL523

    @classmethod
    @partial(jax.jit, static_argnames=("cls", "rounds"))
    def _train(cls, state, rounds, key):
        assert rounds > 0
        carry = {"state": state, "key": key, "info": {"loss": 0.0}}

        def one(index, carry):
            state, key = cls.update(carry["state"], carry["key"])
            return {"state": state, "key": key, "info": carry["info"]}

        carry = jax.lax.fori_loop(0, rounds, one, carry)
        return carry["state"], key, carry["info"]

    @staticmethod
    @jax.jit
    def update(state, key):
        key, noise_key = jax.random.split(key)
        return state + jax.random.normal(noise_key, state.shape), key


class Renewed(Agent):
    def train(self, rounds):
        self.state, self.key, _ = self._train_renewed(self.state, rounds, self.key)

    @classmethod
    @partial(jax.jit, static_argnames=("cls", "rounds"))
    def _train_renewed(cls, state, rounds, key):
        assert rounds > 0
        carry = {"state": state, "key": key}

        def one(index, carry):
            state, key = cls.update(carry["state"], carry["key"])
            return {"state": state, "key": key}

        carry = jax.lax.fori_loop(0, rounds, one, carry)
        return carry["state"], carry["key"], None


class Sampler:
    def __init__(self, seed):
        self.rng = jax.random.PRNGKey(seed)

    def draw(self, shape):
        if not shape:
            raise ValueError("no shape")
        sample, self.rng = noise(self.rng, shape)  # expect: TL523
        return sample

    def again(self, shape):
        found = noise(self.rng, shape)  # expect: TL523
        self.rng = found[1]
        return found[0]

    def fresh(self, shape):
        self.rng, part = jax.random.split(self.rng)
        sample, _ = noise(part, shape)
        return sample

    def only_asked(self):
        self.rng = same(self.rng)


def noise(rng, shape):
    return jax.random.normal(rng, shape), rng


def same(rng):
    return rng
