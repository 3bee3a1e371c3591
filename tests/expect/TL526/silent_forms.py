"""Numbers that are no traced values, and traced values that are read where they have numbers."""
# Modelled on stanford-crfm/levanter, google/flax (examples), vwxyzjn/cleanrl, mlcommons/algorithmic-efficiency.

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import io_callback


@jax.jit
def step(params, batch, scale=2.0):
    size = float(batch.shape[0]) * int(np.prod(batch.shape[1:]))
    table = np.asarray([1.0, 2.0, float(scale)])
    io_callback(lambda value: print(value.item()), None, batch.sum())
    return params - (batch @ params).mean() / size + table.sum(), batch.astype(float)


def train(params, batches, writer):
    total = jnp.zeros(())
    for index, batch in enumerate(batches):
        params, scaled = step(params, batch)
        total = total + scaled.sum()
        writer.add(index, {"norm": float(jnp.linalg.norm(params))})
    return params, total.item() / int(len(batches)), np.asarray(total).tolist()


def restore(state):
    return int(state.step), np.array(state.params)


shapes = jax.eval_shape(lambda x: x * 2, jnp.ones(3))
print(int(shapes.shape[0]))
