"""Keys in attributes of objects: used twice, or never renewed though a method runs in each round."""

import jax
import jax.numpy as jnp


class Sampler:
    def __init__(self, seed):
        self.key = jax.random.PRNGKey(seed)  # expect: TL523

    def noise(self, shape):
        return jax.random.normal(self.key, shape)

    def pair(self):
        a = jax.random.normal(self.key, (3,))
        b = jax.random.uniform(self.key, (3,))  # expect: TL523
        return a, b


class Agent:
    def __init__(self, seed):
        self.rng = jax.random.key(seed)

    def act(self, logits):
        self.rng, sub = jax.random.split(self.rng)
        a = jax.random.categorical(sub, logits)
        eps = jax.random.uniform(sub, a.shape)  # expect: TL523
        return a, eps

    def good(self, logits):
        self.rng, sub = jax.random.split(self.rng)
        return jax.random.categorical(sub, logits)


def main():
    s = Sampler(0)
    for i in range(10):
        print(s.noise((3,)))
    a = Agent(0)
    for i in range(10):
        print(a.act(jnp.ones((3,))), a.good(jnp.ones(3)))
