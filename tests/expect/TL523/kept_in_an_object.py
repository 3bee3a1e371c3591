"""Keys that an object makes once, and compiled methods use up at every call; and objects that go on to another key."""
# Modelled on AI-Hypercomputer/maxtext (its serving engine) and vwxyzjn/cleanrl.

import functools

import jax
import jax.numpy as jnp


class Engine:
    def __init__(self, config, model):
        self.config, self.model = config, model
        self.rng = jax.random.PRNGKey(0)  # expect: TL523

    @functools.partial(jax.jit, static_argnums=(0,), donate_argnums=(2,))
    def generate(self, params, state):
        logits, cache = self.model.apply(params | state, rngs={"params": self.rng}, mutable=["cache"])
        return jnp.argmax(logits), cache

    def load(self, tokens):
        return self.model.init(self.rng, tokens)


class Seeded:
    def __init__(self, seed):
        self.key = jax.random.key(seed)  # expect: TL523
        self.noisy = jax.jit(self._noisy)

    def _noisy(self, x):
        return x + jax.random.normal(self.key, x.shape)


class Renewed:
    def __init__(self, seed):
        self.key = jax.random.key(seed)
        self.jitted = jax.jit(self.noise)

    def noise(self, key, x):
        return x + jax.random.normal(key, x.shape)

    def __call__(self, x):
        self.key, subkey = jax.random.split(self.key)
        return self.jitted(subkey, x)


class Folded:
    def __init__(self, seed):
        self.base = jax.random.key(seed)

    @functools.partial(jax.jit, static_argnums=0)
    def noisy(self, x, step):
        return x + jax.random.normal(jax.random.fold_in(self.base, step), x.shape)


class Evaluated:
    def __init__(self, model):
        self.model, self.rng = model, jax.random.key(0)

    @functools.partial(jax.jit, static_argnums=0)
    def eval_step(self, params, x):
        return self.model.apply(params, x, rngs={"dropout": self.rng})

    def reset(self, params, x):
        return self.model.init(self.rng, x)


class ReplacedByOthers:
    def __init__(self):
        self.stream = jax.random.key(0)

    @functools.partial(jax.jit, static_argnums=0)
    def draw(self):
        return jax.random.normal(self.stream, (3,))


def run(thing):
    for number in range(10):
        thing.stream = jax.random.key(number)
        print(thing.draw())
