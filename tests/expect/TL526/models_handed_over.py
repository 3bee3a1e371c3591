"""Models that a traced function is handed with their parameters: what they compute has no value there, either."""

from functools import partial

import jax
import jax.numpy as jnp
from flax import nnx


@nnx.jit
def evaluated(model, batch):
    scores = model(batch["x"])
    return float(scores.mean())  # expect: TL526


@nnx.jit
def trained(model, optimizer, batch):
    def loss_fn(model):
        return jnp.mean((model(batch["x"]) - batch["y"]) ** 2)

    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(grads)
    return loss.item()  # expect: TL526


@nnx.jit
def predicted(model, x):
    first, second = model(x)
    return first, second.tolist()  # expect: TL526


@jax.jit
def updated(params, batch):
    loss, grads = jax.value_and_grad(lambda p: jnp.mean((p - batch) ** 2))(params)
    return params - grads, loss.item()  # expect: TL526


@partial(jax.jit, static_argnums=(0,))
def activated(activation, x):
    size = activation(3)
    return x * float(size)


@nnx.jit
def measured(model, x):
    return model(x).mean(), float(x.shape[0]), x.size


def outside(model, optimizer, batch, params):
    trained(model, optimizer, batch)
    new, loss = updated(params, batch)
    return float(evaluated(model, batch)), float(measured(model, batch["x"])[0]), activated(abs, new), predicted(model, new)
