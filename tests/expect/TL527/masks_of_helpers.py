"""Masks that a helper makes, or an object has."""

import jax
import jax.numpy as jnp


class Batch:
    def __init__(self, logits, labels, weights):
        self.logits = logits
        self.labels = labels
        self.weights = weights

    @property
    def valid(self):
        return self.weights > 0


def is_labelled(labels, ignored=-100):
    return labels != ignored


def indices(labels):
    return labels.astype(jnp.int32)


@jax.jit
def loss(logits, labels):
    errors = (logits - labels) ** 2
    return jnp.mean(errors[is_labelled(labels)])  # expect: TL527


@jax.jit
def weighted_loss(logits, labels, weights):
    batch = Batch(logits, labels, weights)
    errors = (batch.logits - batch.labels) ** 2
    return jnp.mean(errors[batch.valid])  # expect: TL527


@jax.jit
def masked_loss(logits, labels, weights):
    batch = Batch(logits, labels, weights)
    return jnp.mean(jnp.where(batch.valid, (logits - labels) ** 2, 0.0))


@jax.jit
def picked(table, labels):
    return table[indices(labels)]
