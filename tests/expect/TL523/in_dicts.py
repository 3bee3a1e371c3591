"""Keys in dicts of keys by kinds, however these are made."""

import jax
import jax.numpy as jnp
import flax.linen as nn


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train=True):
        x = nn.Dense(4)(x)
        return nn.Dropout(0.1, deterministic=not train)(x)


def init_bad(model, x):
    key = jax.random.PRNGKey(0)
    return model.init({"params": key, "dropout": key}, x)  # expect: TL523


def init_bad2(model, x):
    key = jax.random.PRNGKey(0)
    rngs = {"params": key, "dropout": key}
    return model.init(rngs, x)  # expect: TL523


def init_bad3(model, x):
    key = jax.random.PRNGKey(0)
    rngs = dict(params=key, dropout=key)
    return model.init(rngs, x)  # expect: TL523


def init_bad4(x):
    key = jax.random.PRNGKey(0)
    rngs = {name: key for name in ("params", "dropout")}
    return Net().init(rngs, x)  # expect: TL523


def train(batches):
    model = Net()
    key = jax.random.PRNGKey(0)
    params_key, dropout_key = jax.random.split(key)
    params = model.init({"params": params_key, "dropout": dropout_key}, jnp.ones((1, 4)))
    rngs = {"dropout": dropout_key}

    @jax.jit
    def step(params, batch, rngs):
        def loss_fn(p):
            return model.apply(p, batch, rngs=rngs).mean()

        g = jax.grad(loss_fn)(params)
        return jax.tree_util.tree_map(lambda p, q: p - 0.1 * q, params, g)

    for batch in batches:
        params = step(params, batch, rngs)  # expect: TL523
    return params


def set_by_update(first):
    def step(i, carry):
        key, mine = jax.random.split(carry["key"])
        carry.update(key=key, total=carry["total"] + jax.random.normal(mine, (3,)).sum())
        return carry

    return jax.lax.fori_loop(0, 10, step, first)


def set_by_a_dict(first):
    def step(i, carry):
        key, mine = jax.random.split(carry["key"])
        carry.update({"key": key, "total": carry["total"] + jax.random.normal(mine, (3,)).sum()})
        return carry

    return jax.lax.fori_loop(0, 10, step, first)


def set_as_an_item(first):
    def step(i, carry):
        carry["key"], mine = jax.random.split(carry["key"])
        carry["total"] = carry["total"] + jax.random.normal(mine, (3,)).sum()
        return carry

    return jax.lax.fori_loop(0, 10, step, first)


def set_in_a_loop(carry):
    for _ in range(10):
        key, mine = jax.random.split(carry["key"])
        carry.update(key=key, total=carry["total"] + jax.random.normal(mine, (3,)).sum())
    return carry


def another_is_set(first):
    def step(i, carry):
        key, mine = jax.random.split(carry["key"])  # expect: TL523
        carry.update(total=carry["total"] + jax.random.normal(mine, (3,)).sum())
        return carry

    return jax.lax.fori_loop(0, 10, step, first)


def another_is_set_in_a_loop(carry):
    for _ in range(10):
        key, mine = jax.random.split(carry["key"])  # expect: TL523
        carry.update({"total": carry["total"] + jax.random.normal(mine, (3,)).sum()})
    return carry
