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
            rng, key = jax.random.split(rng)  # expect: TL523
            params, _ = train_step(params, batch, rng)
    return params, key


def explore(env, seed, steps):
    rng = jax.random.PRNGKey(seed)
    state = env.reset()
    for _ in range(steps):
        rng = jax.random.split(rng)[0]  # expect: TL523
        state = env.step(state, jax.random.uniform(rng))
    return state


def walk(position, rng, steps):
    for _ in range(steps):
        rng, noise = jax.random.split(rng)  # expect: TL523
        position = position + jax.random.normal(noise, position.shape) * jax.random.uniform(rng)
    return position
