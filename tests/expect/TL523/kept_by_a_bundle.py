"""A key that is bundled with others, or handed out by a helper, and used up twice."""

import jax


class Streams:
    """The keys of one step."""

    def __init__(self, params, dropout):
        self.params = params
        self.dropout = dropout

    @property
    def noise(self):
        return self.dropout


def init_layer(key, width):
    params_key, dropout_key = jax.random.split(key)
    streams = Streams(params_key, dropout_key)
    weights = jax.random.normal(params_key, (width, width))
    bias = jax.random.normal(streams.params, (width,))  # expect: TL523
    mask = jax.random.bernoulli(streams.dropout, 0.9, (width,))
    return weights, bias, mask


def noisy(key, x):
    streams = {"jitter": key}
    first = jax.random.normal(key, x.shape)
    return x + first + jax.random.uniform(streams["jitter"], x.shape)  # expect: TL523


def apart(key, x):
    jitter, noise = jax.random.split(key)
    streams = Streams(jitter, noise)
    return x + jax.random.normal(streams.params, x.shape) + jax.random.uniform(streams.noise, x.shape)


def once(key, x):
    for stream in [Streams(key, key)]:
        x = x + jax.random.normal(stream.params, x.shape)
    return x
