import jax
import jax.numpy as jnp


def shuffled(key, batch):
    return jax.tree.map(lambda x: jax.random.permutation(key, x), batch)


def shuffled_dict(key, batch):
    return {k: jax.random.permutation(key, v) for k, v in batch.items()}


def in_a_loop(key, arrays):
    out = []
    for a in arrays:
        out.append(jax.random.permutation(key, a, axis=0))
    return out


def wrong(key, batch, n):
    return [jax.random.permutation(key, n) for _ in batch]  # expect: TL523


def lax_map(key, xs):
    return jax.lax.map(lambda x: x + jax.random.normal(key), xs)  # expect: TL523


def one_after_the_other(key, images, labels):
    images = jax.random.permutation(key, images)
    labels = jax.random.permutation(key, labels)
    return images, labels


def twice(key, n):
    first = jax.random.permutation(key, n)
    return first, jax.random.permutation(key, n)  # expect: TL523
