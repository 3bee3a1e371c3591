"""Clocks around compiled functions of JAX: what waits before they are read, and what does not."""

import functools
import time

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def forward(params, x):
    return jnp.tanh(x @ params)


@jax.vmap
def mapped(x):
    return x * 2


def plain(params, x):
    return params


fast = jax.jit(plain)
init_params = jax.jit(plain)
gradient = jax.grad(plain)


def timed(params, x):
    start = time.perf_counter()
    y = forward(params, x)
    print(time.perf_counter() - start)  # expect: TL530
    return y


def timed_by_name(params, x):
    start = time.perf_counter()
    y = fast(params, x)
    print(time.perf_counter() - start)  # expect: TL530
    return y


def timed_plain(params, x):
    start = time.perf_counter()
    y = plain(params, x)
    print(time.perf_counter() - start)
    return y


def timed_mapped(x):
    """Nothing is compiled as a whole there."""
    start = time.perf_counter()
    y = mapped(x)
    print(time.perf_counter() - start)
    return y


def timed_gradient(params, x):
    start = time.perf_counter()
    y = gradient(params, x)
    print(time.perf_counter() - start)
    return y


def waited(params, x):
    start = time.perf_counter()
    y = forward(params, x).block_until_ready()
    print(time.perf_counter() - start)
    return y


def waited_by_function(params, x):
    start = time.perf_counter()
    y = jax.block_until_ready(forward(params, x))
    print(time.perf_counter() - start)
    return y


def waited_for_all(params, x):
    start = time.perf_counter()
    y = forward(params, x)
    jax.effects_barrier()
    print(time.perf_counter() - start)
    return y


def waited_by_each(params, x):
    start = time.perf_counter()
    y = forward(params, x)
    jax.tree.map(lambda leaf: leaf.block_until_ready(), y)
    print(time.perf_counter() - start)
    return y


def waited_by_no_leaf(params, x):
    start = time.perf_counter()
    y = forward(params, x)
    z = jax.tree.map(lambda leaf: leaf * 2, y)
    print(time.perf_counter() - start)  # expect: TL530
    return z


def waited_by_library_map(params, x):
    start = time.perf_counter()
    y = forward(params, x)
    jax.tree.map(np.asarray, y)
    print(time.perf_counter() - start)
    return y


def waited_by_float(params, x):
    start = time.perf_counter()
    y = float(forward(params, x).mean())
    print(time.perf_counter() - start)
    return y


def waited_by_length(params, x):
    """Its length is known before its numbers are."""
    start = time.perf_counter()
    y = forward(params, x)
    print(len(y), time.perf_counter() - start)  # expect: TL530
    return y


def waited_by_another(params, x, other):
    """Something else is waited for."""
    start = time.perf_counter()
    y = forward(params, x)
    jax.block_until_ready(other)
    print(time.perf_counter() - start)  # expect: TL530
    return y


def shown_to_somebody(params, x, show):
    start = time.perf_counter()
    y = forward(params, x)
    show(y)
    print(time.perf_counter() - start)
    return y


def wait(value):
    value.block_until_ready()
    return value


def pass_on(value):
    return value


def waited_by_helper(params, x):
    start = time.perf_counter()
    y = wait(forward(params, x))
    print(time.perf_counter() - start)
    return y


def passed_on_by_helper(params, x):
    start = time.perf_counter()
    y = pass_on(forward(params, x))
    print(time.perf_counter() - start)  # expect: TL530
    return y


def run(params, x):
    return forward(params, x)


def run_all(params, xs):
    out = []
    for x in xs:
        out.append(forward(params, x))
    return out


def timed_helper(params, x):
    start = time.perf_counter()
    y = run(params, x)
    print(time.perf_counter() - start)  # expect: TL530
    return y


def timed_long_helper(params, xs):
    """It goes over all the data: what is left in the queue does not count."""
    start = time.perf_counter()
    y = run_all(params, xs)
    print(time.perf_counter() - start)
    return y


def kept(params, x, history):
    start = time.perf_counter()
    history.append(forward(params, x))
    print(time.perf_counter() - start)  # expect: TL530
    return history


def nobody_keeps_it(params, x):
    start = time.perf_counter()
    forward(params, x)
    print(time.perf_counter() - start)  # expect: TL530


def in_one_branch(params, x, wide):
    """Without the test the device was given nothing."""
    start = time.perf_counter()
    y = x
    if wide:
        y = forward(params, x)
    print(time.perf_counter() - start)
    return y


def waited_in_one_branch(params, x, wide):
    start = time.perf_counter()
    y = forward(params, x)
    if wide:  # perhaps somebody waits
        y.block_until_ready()
    print(time.perf_counter() - start)
    return y


def in_rounds(params, x, rounds):
    start = time.perf_counter()
    for _ in range(10):
        params = forward(params, x)
    print(time.perf_counter() - start)  # expect: TL530
    return params


def compile_time(params, x):
    """How long it takes to compile is asked for."""
    start = time.perf_counter()
    forward(params, x)
    return time.perf_counter() - start


def initialised(key, x):
    """What is called ``init`` runs once: compiling takes the time."""
    start = time.perf_counter()
    params = init_params(key, x)
    print(time.perf_counter() - start)
    return params


def recorded(params, xs, folder):
    for number, x in enumerate(xs):
        if number == 3:
            jax.profiler.start_trace(folder)  # expect: TL530
        params = forward(params, x)
        if number == 6:
            jax.profiler.stop_trace()  # expect: TL530
    return params


def recorded_from_the_first(params, xs, folder):
    for number, x in enumerate(xs):
        if number == 0:
            jax.profiler.start_trace(folder)
        params = forward(params, x)
        if number == 6:
            jax.block_until_ready(params)
            jax.profiler.stop_trace()
    return params


class Engine:
    def __init__(self, step):
        self._step = jax.jit(step)
        self.state = None

    def advance(self, x):
        start = time.perf_counter()
        self.state = self._step(self.state, x)
        print(time.perf_counter() - start)  # expect: TL530

    def advance_and_wait(self, x):
        start = time.perf_counter()
        self.state = self._step(self.state, x)
        jax.block_until_ready(self.state)
        print(time.perf_counter() - start)

    @functools.partial(jax.jit, static_argnums=0)
    def compute(self, x):
        return x * 2

    def timed(self, x):
        start = time.perf_counter()
        y = self.compute(x)
        print(time.perf_counter() - start)  # expect: TL530
        return y
