"""What uses the devices before the growth of memory is set, and what only asks for them."""

import tensorflow as tf


def tensors(build):
    gpus = tf.config.list_physical_devices("GPU")
    seeds = tf.random.uniform((8,))
    tf.config.experimental.set_memory_growth(gpus[0], True)  # expect: TL545
    return build(seeds)


def asks_only(build):
    gpus = tf.config.list_physical_devices("GPU")
    tf.random.set_seed(3)
    tf.config.experimental.set_memory_growth(gpus[0], True)
    return build(tf.random.uniform((8,)))


def logical(build):
    gpus = tf.config.list_physical_devices("GPU")
    count = len(tf.config.list_logical_devices("GPU"))
    tf.config.experimental.set_memory_growth(gpus[0], True)  # expect: TL545
    return build(count)


def under_a_test(build, debug):
    """It runs in some runs only."""
    gpus = tf.config.list_physical_devices("GPU")
    if debug:
        print(tf.constant(1))
    tf.config.experimental.set_memory_growth(gpus[0], True)
    return build()


def in_attempt(build):
    gpus = tf.config.list_physical_devices("GPU")
    seeds = tf.constant([1.0])
    try:
        tf.config.experimental.set_memory_growth(gpus[0], True)  # expect: TL545
    except RuntimeError as error:
        print(error)
    return build(seeds)


def in_rounds(build):
    weights = tf.Variable(1.0)
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)  # expect: TL545
    return build(weights)


def by_helper(build):
    seeds = make()
    grow()
    return build(seeds)


def make():
    return tf.zeros((3,))


def grow():
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)  # expect: TL545


def by_both_ways(build, early):
    """One way uses nothing before."""
    if early:
        set_up()
        return build(tf.zeros((3,)))
    seeds = tf.zeros((3,))
    set_up()
    return build(seeds)


def set_up():
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)


def first(build):
    set_first()
    return build(tf.zeros((3,)))


def set_first():
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)


@tf.function
def traced(x):
    """Nothing runs before it is called."""
    return x + tf.constant(1.0)


def defines_only(build):
    gpus = tf.config.list_physical_devices("GPU")
    step = tf.function(lambda x: x + tf.constant(1.0))
    tf.config.experimental.set_memory_growth(gpus[0], True)
    return build(step)


def of_another(build, settings):
    """A method of something else by that name."""
    seeds = tf.zeros((3,))
    settings.set_memory_growth(True)
    return build(seeds)
