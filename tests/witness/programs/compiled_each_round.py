"""A lambda is another function in each round: it is compiled each time."""

import jax
import jax.numpy as jnp

events = []
jax.monitoring.register_event_duration_secs_listener(lambda name, *_, **__: events.append(name))


def fresh(x, steps):
    for _ in range(steps):
        x = jax.jit(lambda value: value * 0.5)(x)  # expect: TL521
    return x


def once(x, steps):
    halve = jax.jit(lambda value: value * 0.5)
    for _ in range(steps):
        x = halve(x)
    return x


def train(steps):
    counts = []
    for run in (fresh, once):
        x = jax.block_until_ready(jnp.ones(8))
        before = len(events)
        jax.block_until_ready(run(x, steps))
        counts.append(sum("backend_compile" in name for name in events[before:]))
    return counts
