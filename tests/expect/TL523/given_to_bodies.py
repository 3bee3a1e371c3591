"""The body of a loop draws through what a partial has filled in, and through one of several methods."""

from abc import abstractmethod

import jax


class Kernel:
    @abstractmethod
    def step(self, rng, x):
        """One step."""


class Walk(Kernel):
    def step(self, rng, x):
        if x.ndim != 1:
            raise ValueError("one chain at a time")
        moved, accepted = jax.random.split(rng)
        return x + jax.random.normal(moved, x.shape) * jax.random.uniform(accepted)


class Jump(Kernel):
    def step(self, rng, x):
        return x + jax.random.cauchy(rng, x.shape)


class Chain:
    def body(self, kernel, carry, _):
        key, x = carry
        x = kernel.step(key, x)  # expect: TL523
        return (key, x), x

    def run(self, kernel: Kernel, key, x):
        return jax.lax.scan(jax.tree_util.Partial(self.body, kernel), (key, x), length=10)


class Renewing:
    def body(self, kernel, carry, _):
        key, x = carry
        key, part = jax.random.split(key)
        x = kernel.step(part, x)
        return (key, x), x

    def run(self, kernel: Kernel, key, x):
        return jax.lax.scan(jax.tree_util.Partial(self.body, kernel), (key, x), length=10)


def twice(kernel: Kernel, key, x):
    x = kernel.step(key, x)
    return kernel.step(key, x)  # expect: TL523


class Still:
    def move(self, rng, x):
        raise NotImplementedError


class Moving(Still):
    def move(self, rng, x):
        return x + jax.random.normal(rng, x.shape)


class Standing(Still):
    def move(self, rng, x):
        return x


def perhaps(still: Still, key, x):
    x = still.move(key, x)
    return still.move(key, x)


def in_a_loop(kernel: Kernel, key, x):
    for _ in range(3):
        x = kernel.step(key, x)  # expect: TL523
    return x


class Rule:
    def move(self, rng, x):
        raise NotImplementedError


class Left(Rule):
    def move(self, rng, x):
        return x - jax.random.uniform(rng, x.shape)


class Right(Rule):
    def move(self, rng, x):
        return x + jax.random.uniform(rng, x.shape)


class OfNumbers(Rule):
    def move(self, rng, x):
        return x + rng.normal(size=x.shape)


class Sampler:
    def __init__(self, rng, rule=None, left=True):
        self.rng = rng
        self.rule = rule if rule is not None else Left() if left else Right()

    def sample(self, x):
        for _ in range(10):
            x = self.rule.move(self.rng, x)
        return x
