"""Keys from constants in traced functions, and where they are right."""
# Modelled on AI-Hypercomputer/maxtext (moe) and google-research/big_vision.

from functools import partial

import equinox as eqx
import haiku as hk
import jax
import jax.random as jr
from flax import nnx


def random_routing(rng, logits, experts):
    return jax.random.choice(rng, experts, logits.shape)


class Routed(hk.Module):
    def get_topk(self, logits):
        if self.debug:
            rng = jax.random.PRNGKey(1234)  # expect: TL534
            return random_routing(rng, logits, 8)
        return jax.lax.top_k(logits, 8)


@partial(jax.jit, static_argnames=("deterministic",))
def forward(params, batch, deterministic):
    rngs = None if deterministic else {"dropout": jr.PRNGKey(0)}
    return params.apply(batch, rngs=rngs)


@eqx.filter_jit
def make_noise(model, x):
    return x + jr.normal(jr.PRNGKey(5), x.shape)


@eqx.filter_jit
def perturbed(model, x):
    return model(x + jr.normal(jr.PRNGKey(5), x.shape))  # expect: TL534


class Dropped(nnx.Module):
    def __init__(self, rngs):
        self.layer = nnx.Linear(4, 4, rngs=rngs)
        self.start = jr.normal(jr.key(0), (4,))

    def __call__(self, x):
        return self.layer(x) * jr.bernoulli(jr.key(1), 0.5, x.shape)  # expect: TL534


def not_traced(shape):
    return jr.normal(jr.PRNGKey(0), shape)


@jax.jit
def unused(x):
    key = jr.PRNGKey(0)
    return x, key


@jax.jit
def by_seed(x, seed):
    return x + jr.normal(jr.PRNGKey(seed), x.shape)
