"""Bodies of loops and branches of the library: `switch` over a list, methods, functions by keyword."""

import jax
import jax.numpy as jnp
import numpy as np


def run(xs):
    def body(carry, x):
        if x > 0:  # expect: TL520
            carry = carry + x
        return carry, carry

    return jax.lax.scan(body, 0.0, xs)


def run2(n, x):
    def body(i, x):
        if i % 2 == 0:  # expect: TL520
            return x * 2
        return x

    return jax.lax.fori_loop(0, n, body, x)


def neg(x):
    return -x


def pos(x):
    if x.sum() > 0:  # expect: TL520
        return x
    return x * 2


def zero(x):
    assert x > 0  # expect: TL520
    return x * 0


def sw(i, x):
    return jax.lax.switch(i, [neg, pos, zero], x)


def sw2(i, x):
    branches = [lambda x: x if x > 0 else -x, neg]  # expect: TL520
    return jax.lax.switch(i, branches, x)


def cnd(p, x):
    def t(x):
        while x < 3:  # expect: TL520
            x = x + 1
        return x

    return jax.lax.cond(p, t, neg, x)


def kw(p, x):
    def t(x):
        return float(x)

    return jax.lax.cond(p, true_fun=t, false_fun=neg, operand=x)


class Trainer:
    def body(self, state, batch):
        loss = jnp.mean((state - batch) ** 2)
        if loss > 10:  # expect: TL520
            return state, loss
        return state - loss, loss

    def epoch(self, state, batches):
        return jax.lax.scan(self.body, state, batches)


@jax.jit
def assoc(xs):
    def op(a, b):
        return a if a > b else b  # expect: TL520

    return jax.lax.associative_scan(op, xs)


def larger(a, b):
    print("larger of", a.shape)
    return np.maximum(a, b)


def not_traced(xs):
    """It runs the function on halves of the array, again and again, and traces nothing (run)."""
    return jax.lax.associative_scan(larger, xs)
