"""Tests of values in the steps of trainers, and in what they call."""
# Modelled on google-research/big_vision (trainers), mlcommons/algorithmic-efficiency, google/brax (ppo), vwxyzjn/cleanrl.

import functools
from functools import partial

import flax
import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState


@flax.struct.dataclass
class Running:
    mean: jnp.ndarray
    count: jnp.ndarray
    limit: float = flax.struct.field(pytree_node=False)


def clipped(grads, max_norm):
    norm = optax.global_norm(grads)
    scale = max_norm / norm if norm > max_norm else 1.0  # expect: TL520
    return jax.tree.map(lambda g: g * scale, grads)


@partial(jax.pmap, axis_name="batch", donate_argnums=(0,))
def update_fn(params, opt_state, batch):
    def loss_fn(params):
        logits = batch["image"] @ params
        if params.max() > 1e3:  # expect: TL520
            logits = logits * 0.0
        return jnp.mean(optax.softmax_cross_entropy(logits, batch["labels"]))

    loss, grads = jax.value_and_grad(loss_fn)(params)
    if jnp.isnan(loss):  # expect: TL520
        return params, opt_state, loss
    return params - clipped(grads, 1.0), opt_state, loss


@jax.jit
def train_step(state: TrainState, batch):
    if state.step % 100 == 0:  # expect: TL520
        batch = batch * 2
    return state.replace(step=state.step + 1), batch


def observe(running: Running, values):
    total = running.count + values.shape[0]
    if running.limit > 0 and values.ndim == 1:
        values = jnp.clip(values, -running.limit, running.limit)
    if total > 1:  # expect: TL520
        return running.replace(mean=values.mean(), count=total)
    return running


def rollout(env, running, policy, key, length):
    def one(carry, key):
        state, running = carry
        state, done = env(state, policy(state), key)
        assert not jnp.any(done), "ended"  # expect: TL520
        return (state, observe(running, state)), done

    return jax.lax.scan(one, (env, running), jax.random.split(key, length))


class Agent:
    def __init__(self, env, temperature):
        self.temperature = temperature
        self._update = jax.jit(functools.partial(self.update, env), donate_argnums=0)

    def update(self, env, q_values, target):
        if self.temperature > 0:
            q_values = q_values / self.temperature
        errors = [abs(q - target) for q in (q_values, 2 * q_values)]
        worst = jnp.stack(errors).max()
        while worst > 1.0:  # expect: TL520
            worst = worst * 0.5
        return min(worst, 0.1)  # expect: TL520


def capped(limit, leaf):
    if jnp.max(leaf) > limit:  # expect: TL520
        return leaf * limit / jnp.max(leaf)
    return leaf


def scaled(limit, leaf):
    if limit > 1.0:
        return leaf * limit
    return leaf


@jax.jit
def cap_all(tree):
    return jax.tree.map(partial(scaled, 2.0), jax.tree.map(partial(capped, 1.0), tree))
