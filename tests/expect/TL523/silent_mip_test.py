"""A file of tests, named as Google names them; its class of tests is one of another library."""

from absl.testing import absltest
from jax import random
from jax import test_util as jtu


class SamplingTest(jtu.JaxTestCase):
    def test_samples(self):
        key = random.key(0)
        self.assertAllClose(random.normal(key), random.normal(key, ()))

    def _pair(self, key):
        return random.normal(key), random.uniform(key)


if __name__ == "__main__":
    absltest.main()
