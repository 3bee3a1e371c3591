"""How long the first call takes, which compiles: the name says so, though the clock is read again and again."""

import time

import jax
import numpy as np


def fit(solver, params, data, rounds):
    update = jax.jit(solver.update)
    state = solver.init_state(params, data=data)
    tic = time.time()
    _ = update(params, state, data)
    compile_time = time.time() - tic
    outer = time.time()
    seconds = np.zeros(rounds)
    for index in range(rounds):
        tic = time.time()
        params, state = update(params, state, data)
        jax.tree.map(lambda leaf: leaf.block_until_ready(), (params, state))
        seconds[index] = time.time() - tic
    print(time.time() - outer)
    return seconds, compile_time
