"""What is given to a compiled function that may overwrite it, and what reads it behind."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

DONATED = (0,)


def update(state, batch):
    return state - 0.1 * batch.mean()


def update_both(params, opt_state, batch):
    return params - batch.mean(), opt_state + 1


def score(params, batch):
    """Nothing that it returns is as large as the parameters."""
    return jnp.asarray(3.0)


def evaluate(params, batch, model):
    return model.apply(params, batch)


p_update = jax.jit(update, donate_argnums=0)
p_both = jax.jit(update_both, donate_argnums=(0, 1))
p_named = jax.jit(update, donate_argnames="state")
p_names = jax.jit(update_both, donate_argnames=("params", "opt_state"))
p_score = jax.jit(score, donate_argnums=0)
p_score_by_name = jax.jit(score, donate_argnames="params")
p_evaluate = jax.jit(evaluate, donate_argnums=0)
p_constant = jax.jit(update, donate_argnums=DONATED)
p_vmapped = jax.vmap(update)


def read_behind(state, batch):
    new = p_update(state, batch)
    return new, jnp.sum(state)  # expect: TL529


def read_the_other(state, batch):
    """The batch was not given away."""
    new = p_update(state, batch)
    return new, jnp.sum(batch)


def read_by_name(state, batch):
    new = p_named(state, batch)
    return new, jnp.sum(state)  # expect: TL529


def read_second(params, opt_state, batch):
    new = p_both(params, opt_state, batch)
    return new, jnp.sum(opt_state)  # expect: TL529


def read_second_by_name(params, opt_state, batch):
    new = p_names(params, opt_state, batch)
    return new, jnp.sum(opt_state)  # expect: TL529


def given_by_keyword(state, batch):
    """By its name it is given as well, where names say so."""
    new = p_named(batch=batch, state=state)
    return new, jnp.sum(state)  # expect: TL529


def given_by_keyword_with_number(state, batch):
    """Numbers stand for the names of the parameters too."""
    new = p_update(batch=batch, state=state)
    return new, jnp.sum(state)  # expect: TL529


def other_keyword(state, batch):
    new = p_named(state=state, batch=batch)
    return new, jnp.sum(batch)


def nothing_as_large(params, batch):
    """Its memory is not used again: no result has its shape."""
    new = p_score(params, batch)
    return new, jnp.sum(params)


def nothing_as_large_by_name(params, batch):
    new = p_score_by_name(params, batch)
    return new, jnp.sum(params)


def outputs_of_a_model(params, batch, model):
    new = p_evaluate(params, batch, model)
    return new, jnp.sum(params)


def constant_numbers(state, batch):
    new = p_constant(state, batch)
    return new, jnp.sum(state)  # expect: TL529


def mapped_only(state, batch):
    """Nothing is compiled there."""
    new = p_vmapped(state, batch)
    return new, jnp.sum(state)


def read_by_print(state, batch):
    new = p_update(state, batch)
    print(state)  # expect: TL529
    return new


def read_shape(state, batch):
    """The shape is still there."""
    new = p_update(state, batch)
    print(state.shape)
    return new


def read_field(state, batch):
    new = p_update(state, batch)
    return new, np.asarray(state.params)  # expect: TL529


def read_other_field(state, batch):
    """What is under another name may be a number of Python."""
    new = p_update(state, batch)
    return new, np.asarray(state.label)


def read_item(state, batch):
    new = p_update(state, batch)
    return new, np.asarray(state["kernel"])  # expect: TL529


def read_in_a_list(state, batch):
    new = p_update(state, batch)
    return jnp.stack([new, state])  # expect: TL529


def handed_to_a_logger(state, batch, logger):
    """What the logger does with it nobody sees."""
    new = p_update(state, batch)
    logger.log(state)
    return new


def handed_to_another_step(state, batch):
    new = p_update(state, batch)
    return new, p_score(state, batch)  # expect: TL529


@jax.jit
def norm(state):
    return jnp.linalg.norm(state)


def plain_norm(state):
    return 0.0


def handed_to_a_decorated_one(state, batch):
    new = p_update(state, batch)
    return new, norm(state)  # expect: TL529


def handed_to_a_plain_one(state, batch):
    new = p_update(state, batch)
    return new, plain_norm(state)


def in_one_branch(state, batch, check):
    """What is read where it was not given away."""
    if check:
        new = p_update(state, batch)
    else:
        new = jnp.sum(state)
    return new


def in_one_branch_behind(state, batch, check):
    new = p_update(state, batch)
    if check:
        print(state)  # expect: TL529
    return new


def under_a_test_before(state, batch, check):
    """Without the test nothing was given away."""
    new = state
    if check:
        new = p_update(state, batch)
    return new, jnp.sum(state)


def bound_again(state, batch):
    state = p_update(state, batch)
    return jnp.sum(state)


def every_round(state, batches):
    out = []
    for batch in batches:
        out.append(p_update(state, batch))  # expect: TL529
    return out


def every_round_of_copies(state, batches):
    out = []
    for batch in batches:
        out.append(p_update(jnp.array(state), batch))
    return out


def behind_the_loop(state, batches):
    """The loop may have had no round."""
    for batch in batches:
        new = p_update(state, batch)  # expect: TL529
    return new, jnp.sum(state)


def images_given(images, labels):
    """Data: no result has their shape."""
    train = jax.jit(lambda images, labels: images.mean() - labels, donate_argnums=0)
    loss = train(images, labels)
    return loss, jnp.sum(images)


def number_beyond(state, batch, step):
    """Nobody sees the function, but it is given the first of its arguments."""
    p_step = jax.jit(step, donate_argnums=(0, 3))
    new = p_step(state, batch)
    return new, jnp.sum(state)  # expect: TL529


def numbers_by_setting(state, batch, step, numbers):
    p_step = jax.jit(step, donate_argnums=numbers)
    new = p_step(state, batch)
    return new, jnp.sum(state)


def part_of_numbers(state, batch, step, extra):
    p_step = jax.jit(step, donate_argnums=(0, extra))
    new = p_step(state, batch)
    return new, jnp.sum(state)  # expect: TL529


class Learner:
    def __init__(self, step):
        self._step = jax.jit(step, donate_argnums=(0,))

    @partial(jax.jit, static_argnums=0, donate_argnums=(0, 1))
    def update(self, params, batch):
        return params - batch.mean()

    @partial(jax.jit, static_argnums=0)
    def kept(self, params, batch):
        return params - batch.mean()

    def run(self, params, batch):
        new = self.update(params, batch)
        return new, jnp.sum(params)  # expect: TL529

    def run_kept(self, params, batch):
        new = self.kept(params, batch)
        return new, jnp.sum(params)

    def run_by_class(self, params, batch):
        new = Learner.update(self, params, batch)
        return new, jnp.sum(params)  # expect: TL529

    def run_stored(self, params, batch):
        new = self._step(params, batch)
        return new, jnp.sum(params)  # expect: TL529


def carried(state, batches):
    """A name that the loop carries is given away in each round, and bound to what comes back."""
    for batch in batches:
        new = p_update(state, batch)
        norm_before = jnp.sum(state)  # expect: TL529
        state = new
    return state, norm_before
