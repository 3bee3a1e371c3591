"""What a traced function of TensorFlow does beside computing: prints, puts away, counts; of what, and where."""

import tensorflow as tf

LOSSES = []
NAMES = ("a", "b")
TABLE = {}


@tf.function
def prints(x):
    print(tf.reduce_mean(x))  # expect: TL541
    return x


@tf.function
def prints_with_end(x):
    print(tf.reduce_mean(x), end="")  # expect: TL541
    return x


@tf.function
def prints_text(x):
    print(f"mean {tf.reduce_mean(x)}")  # expect: TL541
    return x


@tf.function
def prints_a_word(x):
    print("tracing")
    return x


@tf.function
def prints_a_shape(x):
    print(x.shape, tf.shape(x).dtype)
    return x


@tf.function
def prints_a_sum(x):
    print(tf.reduce_mean(x) + 1)  # expect: TL541
    return x


@tf.function
def prints_an_item(x):
    print(tf.reduce_mean(x, axis=0)[0])  # expect: TL541
    return x


@tf.function
def prints_what_it_is_given(x):
    """What it is given may be a Python number."""
    print(x)
    return x


def told(value):
    print(value)  # expect: TL541
    return value


def told_of_names(value):
    print(value)
    return value


@tf.function
def tells(x):
    told(tf.reduce_mean(x))
    told_of_names(NAMES)
    return x


@tf.function
def prints_a_layer(x):
    layer = tf.keras.layers.Dense(3)
    print(layer(x))  # expect: TL541
    return x


@tf.function
def prints_a_class(x):
    """The class itself is no tensor."""
    print(tf.math.Reduce(x))
    return x


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(3)
        self.seen = []
        self.kept = []
        self.names = {}
        self.steps = 0
        self.rate = 0.5
        self.text = ""
        self.traces = 0
        self.later = None

    def call(self, x):
        return self.dense(x)

    @tf.function
    def step(self, x):
        self.steps += 1  # expect: TL541
        self.rate += 0.1  # expect: TL541
        self.traces += 1
        self.text += "x"
        self.later += 1
        self.seen.append(tf.reduce_mean(x))  # expect: TL541
        self.seen.append("step")
        self.names.update(x=1)
        return x

    @tf.function
    def counted_by_tensor(self, x):
        self.steps += tf.reduce_sum(x)
        return x

    @tf.function
    def kept_anew(self, x):
        self.kept.append(tf.reduce_mean(x))
        return x

    def clear(self):
        self.kept = []


class Other:
    def __init__(self):
        self.model = Net()

    @tf.function
    def run(self, x):
        print(self.model(x))  # expect: TL541
        return x


@tf.function
def counts_of_another(x, meter):
    meter.count += 1
    return x


@tf.function
def puts_away(x):
    LOSSES.append(tf.reduce_mean(x))  # expect: TL541
    return x


@tf.function
def puts_nothing_away(x):
    LOSSES.append()
    return x


@tf.function
def puts_into_its_own(x):
    parts = []
    parts.append(tf.reduce_mean(x))
    return tf.stack(parts)


@tf.function
def puts_into_what_it_is_given(x, parts):
    parts.append(tf.reduce_mean(x))
    return x


def put(parts, x):
    parts.append(tf.reduce_mean(x))
    return parts


@tf.function
def puts_by_helper(x):
    """The list is the trace's own."""
    return tf.stack(put([], x))


def around(xs):
    kept = []

    @tf.function
    def step(x):
        kept.append(tf.reduce_mean(x))  # expect: TL541
        return x

    return [step(x) for x in xs], kept


@tf.function
def asks_first(x):
    if tf.executing_eagerly():
        print(tf.reduce_mean(x))
    return x


@tf.function
def asks_something_else(x, wide=False):
    if wide:
        print(tf.reduce_mean(x))  # expect: TL541
    return x


@tf.function
def lifted(x):
    with tf.init_scope():
        LOSSES.append(tf.constant(0.0))
    return x


def eager(x):
    print(tf.reduce_mean(x))
    LOSSES.append(tf.reduce_mean(x))
    return x
