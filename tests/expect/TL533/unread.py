"""Keys that nobody reads, in the ways people write it, and keys that are read where it is hard to see."""
# Modelled on huggingface/diffusers (text to image in Flax), google-research/big_vision, vwxyzjn/cleanrl, ikostrikov/jaxrl,
# google-research/t5x (microbatches), google/brax (apg).

from functools import partial

import jax
import jax.random as jr
from jax import lax


def make_step(model):
    def step(state, batch, rng):
        noise_rng, dropout_rng = jr.split(rng)  # expect: TL533
        noise = jr.normal(noise_rng, batch.shape)
        return model.apply(state.params, batch + noise, train=True)

    return jax.pmap(step)


@partial(jax.jit, static_argnames="temperature")
def sample_actions(rng, apply, params, observations, temperature=1.0):
    rng, key = jr.split(rng)
    return rng, jr.normal(key, apply(params, observations).shape) * temperature


def update(rng, actor, critic, batch):
    actor_key, critic_key, value_key = jr.split(rng, 3)  # expect: TL533
    actor = actor.apply(actor_key, batch)
    critic = critic.apply(critic_key, batch)
    return actor, critic


def rollout(env, params, policy, rng):
    rng_reset, rng_episode = jr.split(rng)
    state = env.reset(rng_reset)

    def step(carry, _):
        state, rng = carry
        rng, rng_act = jr.split(rng)
        return (env.step(state, policy(params, state, rng_act)), rng), state

    return lax.scan(step, (state, rng_episode), None, 100)


def read_in_a_text(rng):
    first, second = jr.split(rng)
    print(f"seeds {second}")
    return first


def read_in_the_next_round(params, rng, batches, step):
    last_key = None
    for batch in batches:
        rng, step_key = jr.split(rng)
        params = step(params, batch, step_key, last_key)
        last_key = step_key
    return params


def read_when_asked(params, rng, noisy, apply):
    apply_key, noise_key = jr.split(rng)
    rngs = {"params": apply_key}
    if noisy:
        rngs["noise"] = noise_key
    return apply(params, rngs=rngs)


def read_in_a_comprehension(rng, shapes):
    weights_key, bias_key = jr.split(rng)
    return [jr.normal(jr.fold_in(weights_key, i), s) for i, s in enumerate(shapes)], {n: bias_key for n in ("a", "b")}


def several(rng, count):
    rng, *keys = jr.split(rng, count)
    return [jr.normal(key, (3,)) for key in keys]


def kept(owner, rng):
    owner.rng, init_key = jr.split(rng)
    owner.cells[0] = init_key


def metrics_and_grad(grad_fn, params, batch, dropout_rng):
    dropout_rng, sub_dropout_rng = jr.split(dropout_rng)  # expect: TL533
    return grad_fn(params, batch, sub_dropout_rng)


def epochs(seed, epoch, state, count):
    key, local_key = jr.split(jr.key(seed))
    eval_key, local_key = jr.split(local_key)
    epoch_key, local_key = jr.split(local_key)
    for _ in range(count):
        state, epoch_key = epoch(state, epoch_key)
    return state, eval_key, key
