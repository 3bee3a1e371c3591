"""Keys that the body of a loop of the library does not change."""

import jax
import jax.numpy as jnp


def rollout(key, x0):
    def body(x, _):
        x = x + jax.random.normal(key, x.shape)  # expect: TL523
        return x, x

    return jax.lax.scan(body, x0, None, length=10)


def rollout2(key, x0):
    def body(i, x):
        return x + jax.random.normal(key, x.shape)  # expect: TL523

    return jax.lax.fori_loop(0, 10, body, x0)


def rollout3(key, x0):
    return jax.lax.fori_loop(0, 10, lambda i, x: x + jax.random.normal(key, x.shape), x0)  # expect: TL523


def rollout4(key, x0):
    def body(carry, _):
        x, k = carry
        x = x + jax.random.normal(k, x.shape)  # expect: TL523
        return (x, k), x

    return jax.lax.scan(body, (x0, key), None, length=10)


def rollout5(key, x0):
    def cond(c):
        return c[0] < 10

    def body(c):
        i, x = c
        return i + 1, x + jax.random.uniform(key, x.shape)  # expect: TL523

    return jax.lax.while_loop(cond, body, (0, x0))


def good1(key, x0):
    def body(i, x):
        return x + jax.random.normal(jax.random.fold_in(key, i), x.shape)

    return jax.lax.fori_loop(0, 10, body, x0)


def good2(key, x0):
    def body(carry, _):
        x, k = carry
        k, s = jax.random.split(k)
        return (x + jax.random.normal(s, x.shape), k), x

    return jax.lax.scan(body, (x0, key), None, length=10)


def good3(key, x0):
    def body(x, k):
        return x + jax.random.normal(k, x.shape), x

    return jax.lax.scan(body, x0, jax.random.split(key, 10))


def vm(key, xs):
    return jax.vmap(lambda x: x + jax.random.normal(key, x.shape))(xs)
