"""Clocks around compiled functions, in the ways people read them, and where the host waits."""
# Modelled on AI-Hypercomputer/maxtext (standalone loader, inference), google/maxdiffusion, google/flax, google-research/big_vision,
# google/brax (its trainers), stanford-crfm/levanter (its engine), google-research/scenic (its pauses),
# octo-models/octo (its evaluation on a robot).

import contextlib
import datetime
import time
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx
from input_pipeline import load_next_batch


class Engine:
    def __init__(self, reset):
        self._jitted_reset = jax.jit(reset, donate_argnums=0)
        self.state = None

    @partial(jax.jit, static_argnums=0)
    def prefill(self, params, tokens):
        return params @ tokens

    def begin(self, logger):
        start = time.time()
        self.state = self._jitted_reset(self.state)
        logger.info("reset took %.2f s", time.time() - start)  # expect: TL530

    def first_token(self, params, tokens):
        start = datetime.datetime.now()
        prefix = self.prefill(params, tokens)
        took = datetime.datetime.now() - start  # expect: TL530
        return prefix, took

    def answered(self, params, tokens):
        start = datetime.datetime.now()
        prefix = self.prefill(params, tokens)
        answer = [token.item() for token in prefix]
        return answer, datetime.datetime.now() - start


def loads(iterator, steps):
    start = datetime.datetime.now()
    batch = load_next_batch(iterator, None)
    first = datetime.datetime.now()  # expect: TL530
    for _ in range(steps):
        batch = load_next_batch(iterator, batch)
    jax.block_until_ready(batch)
    return first - start, datetime.datetime.now() - start


def microbenchmark(f, *args, tries=10):
    f = jax.jit(f)
    jax.block_until_ready(f(*args))
    seconds = []
    for _ in range(tries):
        start = datetime.datetime.now()
        jax.block_until_ready(f(*args))
        seconds.append((datetime.datetime.now() - start).total_seconds())
    return seconds


@nnx.jit
def nnx_step(model, metrics, batch):
    metrics.update(loss=model(batch))


def mutable(model, metrics, batches):
    for batch in batches:
        start = time.perf_counter()
        nnx_step(model, metrics, batch)
        print(metrics.compute()["loss"], time.perf_counter() - start)


class Chrono:
    @contextlib.contextmanager
    def timing(self, name, noop=False):
        start = time.monotonic()
        yield
        if not noop:
            print(name, time.monotonic() - start)


def first_step(update, state, batches):
    update, chrono = jax.jit(update), Chrono()
    for step, batch in enumerate(batches):
        with chrono.timing("compilation and first step", noop=step > 0):
            state = update(state, batch)
        with chrono.timing("update"):  # expect: TL530
            state = update(state, batch)
    return state


def host_only(batches):
    for batch in batches:
        start = time.time()
        batch = {name: jnp.asarray(value) for name, value in batch.items()}
        print(time.time() - start)


class Epochs:
    def __init__(self, epoch):
        self.epoch = jax.pmap(epoch, axis_name="i")
        self.walltime = 0.0

    def timed(self, state, key):
        start = time.time()
        state, metrics = self.epoch(state, key)
        metrics = jax.tree_util.tree_map(jnp.mean, metrics)
        jax.tree_util.tree_map(lambda x: x.block_until_ready(), metrics)
        self.walltime += time.time() - start
        return state

    def by_function(self, state, key):
        start = time.time()
        state, metrics = self.epoch(state, key)
        jax.tree.map(jax.block_until_ready, metrics)
        return time.time() - start


def served(run, state, rounds, ingest):
    run = jax.jit(run)
    while rounds:
        submit_start = time.time()
        state, outputs = run(state)
        submit_done = time.time()
        rounds -= ingest(outputs)
        print("submitted in", submit_done - submit_start)


class Pauses:
    def pause(self):
        self.since = time.monotonic()

    def resume(self):
        self.paused = time.monotonic() - self.since


def with_pauses(step, sync, state, batches, evaluate, chrono: Pauses):
    p_step, p_sync, chrono = jax.pmap(step), jax.pmap(sync), Pauses()
    for number, batch in enumerate(batches):
        state = p_step(state, batch)
        chrono.pause()
        if number % 100 == 0:
            state = p_sync(state)
            evaluate(state)
        chrono.resume()
    return state


def policy(params, observation):
    action = nnx_free(params, observation)
    return action[0]


nnx_free = jax.jit(lambda params, observation: params @ observation)


def acts(params, observations):
    for observation in observations:
        start = time.time()
        action = np.array(policy(params, observation), dtype=np.float64)
        print("forward pass time:", time.time() - start)
        yield action
