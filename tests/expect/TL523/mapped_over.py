import jax
import jax.numpy as jnp
import jax.tree_util as jtu
from functools import partial


def a(key, params):
    return jax.tree.map(lambda x: x + jax.random.normal(key, x.shape), params)  # expect: TL523


def b(key, shapes):
    return [jax.random.normal(key, s) for s in shapes]  # expect: TL523


def c(key, shapes):
    return list(map(lambda s: jax.random.normal(key, s), shapes))  # expect: TL523


def d(key, params):
    def noise(x):
        return x + jax.random.normal(key, x.shape)  # expect: TL523

    return jtu.tree_map(noise, params)


def draw(key, x):
    return jax.random.normal(key, x.shape)  # expect: TL523


def e(key, params):
    return jax.tree_util.tree_map(partial(draw, key), params)


def f(key, params):
    return {k: jax.random.normal(key, v.shape) for k, v in params.items()}  # expect: TL523


def g(seed, params):
    key = jax.random.PRNGKey(seed)
    leaves, treedef = jax.tree.flatten(params)
    noisy = [x + draw(key, x) for x in leaves]  # expect: TL523
    return jax.tree.unflatten(treedef, noisy)


def h(key, params):
    return jax.tree.map(lambda x: draw(key, x), params)  # expect: TL523


class Noise:
    def __init__(self, seed):
        self.key = jax.random.PRNGKey(seed)

    def apply(self, params):
        return jax.tree.map(lambda x: x + jax.random.normal(self.key, x.shape), params)  # expect: TL523


def i(key, params):
    out = {}
    out.update((k, jax.random.bernoulli(key, 0.5, v.shape)) for k, v in params.items())  # expect: TL523
    return out


def right1(key, params):
    leaves, treedef = jax.tree.flatten(params)
    keys = jax.tree.unflatten(treedef, list(jax.random.split(key, len(leaves))))
    return jax.tree.map(lambda x, k: x + jax.random.normal(k, x.shape), params, keys)


def right2(key, params):
    return jax.tree.map(lambda x: x * 2, params)


def right3(key, shapes):
    return [jax.random.normal(jax.random.fold_in(key, n), s) for n, s in enumerate(shapes)]


def right4(key, shapes):
    return [jax.random.normal(k, s) for k, s in zip(jax.random.split(key, len(shapes)), shapes)]


def right5(key, params):
    noise = jax.random.normal(key, (3,))
    return jax.tree.map(lambda x: x + noise, params)
