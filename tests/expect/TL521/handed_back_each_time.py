import jax
import jax.numpy as jnp
import optax


class Learner:
    def __init__(self, model, lr):
        self.model = model
        self.tx = optax.adam(lr)

    def loss(self, params, batch):
        pred = self.model.apply(params, batch["x"])
        return jnp.mean((pred - batch["y"]) ** 2)

    def build_update(self):
        def update(params, opt_state, batch):
            loss, grads = jax.value_and_grad(self.loss)(params, batch)
            updates, opt_state = self.tx.update(grads, opt_state, params)
            return optax.apply_updates(params, updates), opt_state, loss
        return jax.jit(update)  # expect: TL521

    def fit(self, params, batches):
        opt_state = self.tx.init(params)
        for batch in batches:
            step = self.build_update()
            params, opt_state, loss = step(params, opt_state, batch)
        return params
