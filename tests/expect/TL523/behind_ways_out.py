"""A way out of the loop before the key is used: all rounds but the last have come past it."""

import jax
from elsewhere import converged


def left_before(update, state, key):
    for _ in range(100):
        if converged(state):
            break
        state = update(state, jax.random.normal(key, (8,)))  # expect: TL523
    return state


def once(update, state, key):
    for number in range(100):
        if number == 0:
            state = update(state, jax.random.normal(key, (8,)))
    return state
