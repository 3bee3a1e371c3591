"""NumPy beside traced values: on shapes and tables, under the name of JAX, outside of traces, and what asks the array."""
# Modelled on vwxyzjn/cleanrl (dqn_jax), pyro-ppl/numpyro (examples), google/flax (pixelcnn), google/brax (acting).

import math

import jax
import jax.numpy as np
import numpy as onp


@jax.jit
def update(q_state, observations, actions, next_values):
    def mse_loss(params):
        q_pred = observations @ params
        q_pred = q_pred[onp.arange(q_pred.shape[0]), actions.squeeze()]
        return ((q_pred - next_values) ** 2).mean(), q_pred

    (loss, q_pred), grads = jax.value_and_grad(mse_loss, has_aux=True)(q_state)
    return loss, q_pred, grads


@jax.jit
def mix(x, theta):
    rows, cols = x.shape
    scale = math.sqrt(cols) * onp.log(onp.prod(x.shape))
    x = np.concatenate([np.sqrt(x), np.zeros_like(x)], axis=-1)
    total = onp.sum(x) + onp.mean(x) + onp.max(x, axis=0).sum() + onp.ndim(x)
    table = onp.stack([onp.sin(onp.arange(rows)), onp.cos(onp.arange(rows))])
    return x * total / scale + np.dot(theta, np.asarray(table)).sum()


def evaluate(params, episodes):
    returns = []
    for episode in episodes:
        values = mix(episode, params)
        returns.append(onp.sqrt(onp.asarray(values)).mean())
    return onp.concatenate([onp.atleast_1d(each) for each in returns]), onp.std(returns)


@jax.jit
def joined(parts):
    if isinstance(parts[0], onp.ndarray):
        return onp.concatenate(parts)
    return np.concatenate(parts)
