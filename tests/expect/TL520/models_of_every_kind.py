"""Methods of models without annotations, which compiled functions apply; models that only the caller of the function around knows."""

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx


class Net(nn.Module):
    width: int = 3

    @nn.compact
    def __call__(self, x, train=True):
        x = nn.Dense(self.width)(x)
        if x.mean() > 0:  # expect: TL520
            x = nn.relu(x)
        if train:
            x = nn.Dropout(0.1)(x, deterministic=False)
        return x


class Net2(nn.Module):
    def setup(self):
        self.d = nn.Dense(3)

    def encode(self, x):
        h = self.d(x)
        if jnp.any(h > 3):  # expect: TL520
            h = jnp.clip(h, 0, 3)
        return h

    def __call__(self, x):
        h = self.encode(x)
        y = np.tanh(h)
        return y


class Net3(nnx.Module):
    def __init__(self, rngs):
        self.lin = nnx.Linear(2, 2, rngs=rngs)

    def __call__(self, x):
        y = self.lin(x)
        if y[0, 0] > 1:  # expect: TL520
            return y
        return y * 2


@nnx.jit
def fwd(m: Net3, x):
    return m(x)


def loss_fn(params, model, x):
    out = model.apply(params, x)
    return float(out.mean())


@jax.jit
def step(params, x):
    model = Net()
    g = jax.grad(loss_fn)(params, model, x)
    return g


class Net4(nn.Module):
    @nn.compact
    def __call__(self, inputs):
        mask = inputs > 0
        if mask.all():  # expect: TL520
            return inputs
        return nn.Dense(2)(inputs)


@jax.jit
def fwd4(p, x):
    return Net4().apply(p, x)


@jax.jit
def fwd2(p, x):
    return Net2().apply(p, x)


class Enc(nn.Module):
    def setup(self):
        self.blocks = [nn.Dense(3) for _ in range(3)]

    def __call__(self, x):
        for b in self.blocks:
            x = b(x)
        if x.sum() > 0:  # expect: TL520
            x = -x
        return x


class Outer(nn.Module):
    def setup(self):
        self.enc = Enc()

    @nn.compact
    def __call__(self, x):
        y = self.enc(x)
        z = nn.Dense(3)(y)
        return z if z.max() > 1 else y  # expect: TL520


def create(model):
    @jax.jit
    def run(p, x):
        return model.apply(p, x)

    return run


go = create(Outer())
