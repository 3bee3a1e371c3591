"""Idioms of timing, profiling, donation and devices from the documentation of JAX and Flax."""

import timeit
from time import perf_counter

import jax
import jax.numpy as jnp
from flax import jax_utils
from flax.training import common_utils


def f(x):
    return jnp.tanh(x @ x)


def by_timeit(x):
    compiled = jax.jit(f)
    compiled(x).block_until_ready()
    return timeit.timeit(lambda: compiled(x).block_until_ready(), number=10)


def compiled_and_run(x):
    start = perf_counter()
    compiled = jax.jit(f).lower(x).compile()
    to_compile = perf_counter() - start
    start = perf_counter()
    jax.block_until_ready(compiled(x))
    return to_compile, perf_counter() - start


def warmed_up(x, rounds):
    compiled = jax.jit(f)
    compiled(x).block_until_ready()
    start = perf_counter()
    for _ in range(rounds):
        y = compiled(x)
    y.block_until_ready()
    return (perf_counter() - start) / rounds


def traced(x, folder):
    compiled = jax.jit(f)
    with jax.profiler.trace(folder):
        compiled(x).block_until_ready()
    jax.profiler.start_trace(folder)
    y = compiled(x)
    y.block_until_ready()
    jax.profiler.stop_trace()


def annotated(step, state, batches):
    p_step = jax.jit(step, donate_argnums=0)
    for number, batch in enumerate(batches):
        with jax.profiler.StepTraceAnnotation("train", step_num=number):
            state = p_step(state, batch)
    return state


def every_so_often(step, state, batches):
    p_step = jax.pmap(step, axis_name="batch", donate_argnums=(0,))
    state, kept, last = jax_utils.replicate(state), [], perf_counter()
    for number, batch in enumerate(batches):
        state, metrics = p_step(state, common_utils.shard(batch))
        kept.append(metrics)
        if (number + 1) % 100 == 0:
            print(common_utils.get_metrics(kept), 100 / (perf_counter() - last))
            kept, last = [], perf_counter()
    return jax_utils.unreplicate(state)


def fetched(step, state, batches):
    p_step = jax.jit(step)
    for batch in batches:
        start = perf_counter()
        state, loss = p_step(state, batch)
        print(loss.item(), perf_counter() - start)
    return state


def of_the_host(batches, put):
    p_put = jax.jit(put)
    for batch in batches:
        start = perf_counter()
        rows = [row.strip() for row in batch]
        print("read in", perf_counter() - start)
        p_put(jnp.asarray(len(rows)))
