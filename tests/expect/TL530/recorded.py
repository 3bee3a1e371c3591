"""Recordings that begin and end while steps are under way, through an object of the project, and right neighbours."""
# Modelled on AI-Hypercomputer/maxtext (its training loop and its profiler) and huggingface/diffusers (ControlNet in Flax).

import jax


class Profiler:
    def __init__(self, config):
        self.mode, self.folder = config.profiler, config.folder

    def activate(self):
        if self.mode == "xplane":
            jax.profiler.start_trace(self.folder)

    def deactivate(self):
        if self.mode == "xplane":
            jax.profiler.stop_trace()


class Careful(Profiler):
    def finish(self, state):
        jax.block_until_ready(state)
        jax.profiler.stop_trace()


def publish(writer, metrics, number, is_training=True):
    global previous
    shown = None
    if is_training:
        if previous is not None:
            shown = previous
    else:
        shown = metrics
    if shown:
        writer.add_scalar("loss", float(shown["loss"]), number)
    if is_training:
        previous = metrics


previous = None


def train(config, state, batches, train_step, manager, writer):
    p_train_step = jax.jit(train_step, donate_argnums=(0,))
    prof = Profiler(config)
    for number, batch in enumerate(batches):
        if number == config.first:
            prof.activate()  # expect: TL530
        state, metrics = p_train_step(state, batch)
        metrics["scalar"].update({"rate": 0.1})
        if manager is not None:
            manager.save(number, state)
        publish(writer, metrics, number)
        if number == config.last:
            prof.deactivate()  # expect: TL530
    return state


def train_waiting(config, state, batches, train_step, writer):
    p_train_step = jax.pmap(train_step, "batch", donate_argnums=(0,))
    prof = Careful(config)
    for number, batch in enumerate(batches):
        if number == config.first:
            metrics["loss"].block_until_ready()
            jax.profiler.start_trace(config.folder)
        state, metrics = p_train_step(state, batch)
        if number == config.last:
            prof.finish(state)


def from_the_first_round(config, state, batches, train_step):
    p_train_step = jax.jit(train_step)
    for number, batch in enumerate(batches):
        if number == 0:
            jax.profiler.start_trace(config.folder)
        state, metrics = p_train_step(state, batch)
        if jax.process_index() == 0:
            print(float(metrics["loss"]))
        if number == config.last:
            jax.profiler.stop_trace()


def validated(config, state, batches, step):
    p_step = jax.pmap(step)
    jax.profiler.start_trace(config.folder)
    answers = [jax.device_get(p_step(state, batch)) for batch in batches]
    jax.profiler.stop_trace()
    return answers
