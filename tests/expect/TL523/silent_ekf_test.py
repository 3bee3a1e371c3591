import jax.random as jr
from jax.numpy import allclose


def test_two_samplers_agree(key=0):
    """The same key on purpose: what they draw is compared."""
    key = jr.PRNGKey(key)
    one = jr.normal(key, (3,))
    other = jr.normal(key, (3,)) * 1.0
    assert allclose(one, other)
