"""Loops, branches and derivatives of flax, haiku and equinox trace what they are given, as those of JAX do (run: tests/frameworks)."""

import equinox as eqx
import flax.linen as nn
import haiku as hk
import jax
import jax.numpy as jnp
from flax import nnx


def kept(model, x):
    if model.training:
        x = x * 2
    if x.sum() > 0:  # expect: TL520
        x = -x
    return x


@nnx.scan
def rounds(carry, x):
    if x > 0:  # expect: TL520
        carry = carry + x
    return carry, carry


def chosen(model, pred, x):
    return nnx.cond(pred, kept, lambda model, x: x, model, x)


def counted(x):
    def body(index, x):
        return x if index == 0 else x * 2  # expect: TL520

    return nnx.fori_loop(0, 3, body, x)


@nnx.remat
def again(x):
    return x if x.mean() > 1 else -x  # expect: TL520


class Net(nn.Module):
    features: int
    deterministic: bool = True

    @nn.compact
    def __call__(self, x):
        def body(mdl, carry, x):
            if mdl.deterministic:
                carry = carry * 2
            if carry.sum() > 1:  # expect: TL520
                carry = carry / 2
            return carry + x, x

        carry, _ = nn.scan(body, variable_broadcast="params", split_rngs={"params": False})(self, jnp.zeros(3), x)
        return nn.cond(carry.sum() > 0, lambda mdl, x: nn.Dense(mdl.features)(x), lambda mdl, x: x, self, carry)


def same_in_each_round(net, carry, xs, train):
    """What is broadcast stays what it is, a number of Python among others."""

    def body(mdl, carry, x, train):
        if train:
            x = x * 2
        return carry + x, x

    return nn.scan(body, in_axes=(0, nn.broadcast), variable_broadcast="params")(net, carry, xs, train)


def in_haiku(xs):
    def body(carry, x):
        carry = carry + hk.Linear(3)(x)
        if carry.max() > 3:  # expect: TL520
            carry = carry / 2
        return carry, x

    return hk.scan(body, jnp.zeros(3), xs)


def curvature(params, x):
    """Nothing is compiled: values have numbers there, but for those that are differentiated twice."""
    return params**2 if x > 0 else params


second = jax.hessian(curvature)
third = eqx.filter_hessian(curvature)
