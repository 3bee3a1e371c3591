"""Functions that come to what compiles them through parameters: of helpers, of closures, of constructors."""

import functools
import jax
import jax.numpy as jnp


def make_step(loss_fn):
    @jax.jit
    def step(params, batch):
        return jax.grad(loss_fn)(params, batch)

    return step


def my_loss(params, batch):
    l = jnp.sum(params * batch)
    if l > 0:  # expect: TL520
        return l
    return -l


step = make_step(my_loss)


def compile_it(fn):
    return jax.jit(fn)


def work(x):
    if x.max() > 1:  # expect: TL520
        x = x / 2
    return x


fast = compile_it(work)


class Runner:
    def __init__(self, update):
        self.update = jax.jit(update)

    def run(self, s, bs):
        for b in bs:
            s = self.update(s, b)
        return s


def update(s, b):
    d = s - b
    if jnp.linalg.norm(d) < 1e-3:  # expect: TL520
        return s
    return s - d


Runner(update).run(jnp.zeros(3), [])


def wrapper(fn, **kw):
    return functools.partial(jax.jit, **kw)(fn)


def work2(x):
    y = x * 2
    return int(y)


f2 = wrapper(work2, static_argnums=())


class Agent:
    def __init__(self):
        self._step = jax.jit(self._step_impl)
        self._train = {"a": self._train_a}

    def _step_impl(self, x):
        if x > 0:  # expect: TL520
            return x
        return -x

    def _train_a(self, x):
        return x

    @functools.partial(jax.jit, static_argnums=(0,))
    def go(self, x, flag):
        if flag:
            return x
        return self.helper(x)

    def helper(self, y):
        n = y.sum()
        for i in range(n):
            y = y + i
        return y


STEPS = {"a": update}


@jax.jit
def dispatch(s, b):
    return inner(s, b, my_pred)


def my_pred(s):
    return bool(s.sum() > 0)  # expect: TL520


def inner(s, b, pred):
    if pred(s):
        return s
    return b
