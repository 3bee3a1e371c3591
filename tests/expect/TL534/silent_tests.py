"""A test that wants a branch which no compiler can settle, and no randomness."""
# Modelled on google-deepmind/optax.

import jax
import jax.numpy as jnp
from absl.testing import parameterized


class StableTest(parameterized.TestCase):
    def check_shapes(self, dtype):
        @jax.jit
        def step(params):
            cond = jax.random.randint(jax.random.key(0), (), 0, 2) == 0
            return jax.lax.cond(cond, lambda: params, lambda: -params)

        return step(jnp.ones(3, dtype))
