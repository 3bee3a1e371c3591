"""Functions that a helper defines at each call, or hands back as they are."""

import jax
import jax.numpy as jnp


def predictor(scale):
    def predict(params, batch):
        return jnp.sum(batch @ params) * scale

    return predict


def same(function):
    return function


def evaluate(params, batches):
    total = 0.0
    for batch in batches:
        step = jax.jit(predictor(0.5))  # expect: TL521
        total += step(params, batch)
    return total


def evaluate_inline(params, batches):
    total = 0.0
    for batch in batches:
        step = jax.jit(same(lambda p, b: (b @ p).sum()))  # expect: TL521
        total += step(params, batch)
    return total


def evaluate_once(params, batches):
    predict = predictor(0.5)
    step = jax.jit(same(predict))
    total = 0.0
    for batch in batches:
        total += step(params, batch)
    return total
