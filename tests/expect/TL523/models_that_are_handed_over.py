"""Methods that draw, of models which are handed over, taken apart and put together again; several classes have such a method."""

import abc

import equinox as eqx
import jax
from flax import nnx


class Policy(nnx.Module, abc.ABC):
    @abc.abstractmethod
    def sample_actions(self, rng, observation): ...


class Diffusion(Policy):
    def __init__(self, config, rngs):
        self.layer = nnx.Linear(config.size, config.size, rngs=rngs)

    def sample_actions(self, rng, observation):
        return self.layer(jax.random.normal(rng, observation.shape))


class Counting(Policy):
    """Makes a key of its own for each call."""

    def __init__(self, config, rngs):
        self.size, self.calls = config.size, 0

    def sample_actions(self, rng, observation):
        self.calls += 1
        return jax.random.normal(jax.random.fold_in(rng, self.calls), observation.shape)


class Config(abc.ABC):
    size = 8

    @abc.abstractmethod
    def create(self, rng): ...

    def load(self, params):
        model = nnx.eval_shape(self.create, jax.random.key(0))
        graphdef, state = nnx.split(model)
        state.replace_by_pure_dict(params)
        return nnx.merge(graphdef, state)


class DiffusionConfig(Config):
    def create(self, rng):
        return Diffusion(self, rngs=nnx.Rngs(rng))


class CountingConfig(Config):
    def create(self, rng):
        return Counting(self, rngs=nnx.Rngs(rng))


def evaluate(policy, key, loader):
    return [policy.sample_actions(key, batch) for batch in loader]


def predicted(policy, key, loader):
    for batch in loader:
        print(policy.sample_actions(key, batch))  # expect: TL523


class Evaluation:
    def run(self, policy, rng, loader):
        for batch in loader:
            print(policy.sample_actions(rng, batch))  # expect: TL523


def counted(policy, key, loader):
    for batch in loader:
        print(policy.sample_actions(key, batch))


def either(policy, key, loader):
    for batch in loader:
        print(policy.sample_actions(key, batch))


def split(policy, key, loader):
    for batch in loader:
        key, subkey = jax.random.split(key)
        print(policy.sample_actions(subkey, batch))


def main(params, loader):
    policy = DiffusionConfig().load(params)
    predicted(policy, jax.random.key(0), loader)
    Evaluation().run(nnx.clone(policy), jax.random.key(1), loader)
    split(policy, jax.random.key(2), loader)
    either(policy, jax.random.key(3), loader)
    either(CountingConfig().load(params), jax.random.key(3), loader)
    counted(CountingConfig().load(params), jax.random.key(4), loader)


class Noisy(eqx.Module):
    scale: float

    def draw(self, key):
        return self.scale * jax.random.normal(key, (3,))


class Quiet(eqx.Module):
    def draw(self, key):
        return 0.0


def frozen(path, key, steps):
    model = eqx.nn.inference_mode(eqx.tree_deserialise_leaves(path, Noisy(1.0)))
    for _ in range(steps):
        print(model.draw(key))  # expect: TL523


def recombined(key, steps):
    params, static = eqx.partition(Noisy(1.0), eqx.is_array)
    model = eqx.combine(params, static)
    for _ in range(steps):
        print(model.draw(key))  # expect: TL523


def replaced(key, steps):
    model = eqx.tree_at(lambda each: each.scale, Noisy(1.0), 2.0)
    for _ in range(steps):
        print(model.draw(key))  # expect: TL523


def silenced(key, steps):
    model = eqx.tree_at(lambda each: each, Quiet(), Quiet())
    for _ in range(steps):
        print(model.draw(key))
