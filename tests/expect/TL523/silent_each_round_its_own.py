import jax
import jax.numpy as jnp
import optax


@jax.jit
def train_step(params, batch, dropout_rng):
    def loss_fn(weights):
        keep = jax.random.bernoulli(dropout_rng, 0.9, batch.shape)
        return jnp.mean((batch * keep) @ weights)

    loss, grads = jax.value_and_grad(loss_fn)(params)
    return optax.apply_updates(params, grads), loss


def fit(params, loader, seed, epochs):
    rng = jax.random.key(seed)
    for _ in range(epochs):
        for batch in loader:
            rng, key = jax.random.split(rng)
            params, _ = train_step(params, batch, key)
    return params


def explore(env, seed, steps):
    rng = jax.random.PRNGKey(seed)
    state = env.reset()
    for step in range(steps):
        rng = jax.random.fold_in(rng, step)
        state = env.step(state, jax.random.uniform(rng))
    return state


def walk(position, rng, steps, jumps):
    for _ in range(steps):
        rng, noise = jax.random.split(rng)
        position = position + jax.random.normal(noise, position.shape)
        if jumps:
            rng = jax.random.fold_in(rng, 1)
    return position


def until(rng, good):
    while True:
        rng, key = jax.random.split(rng)
        found = jax.random.normal(key)
        if good(found):
            return jax.random.uniform(rng)
