"""Numbers that count rounds, how they are handed over, and functions that are traced anew in rounds."""

import functools

import numpy as np
import tensorflow as tf

STEPS = 100


@tf.function
def step(images, number=0, scale=1.0):
    return images * tf.cast(number, tf.float32) * scale


@tf.function(input_signature=[tf.TensorSpec([None, 3]), tf.TensorSpec([], tf.int32)])
def signed(images, number):
    return images * tf.cast(number, tf.float32)


def by_range(x):
    for number in range(1000):
        step(x, number)  # expect: TL540


def by_range_of_setting(x, steps):
    for number in range(steps):
        step(x, number)  # expect: TL540


def by_short_range(x):
    for number in range(5):
        step(x, number)


def by_short_range_with_start(x):
    for number in range(3, 9):
        step(x, number)


def by_range_from_setting(x, start):
    """How many rounds there are nobody sees: perhaps many."""
    for number in range(start, 9):
        step(x, number)  # expect: TL540


def by_long_range_with_start(x):
    for number in range(3, 900):
        step(x, number)  # expect: TL540


def by_keyword(x):
    for number in range(1000):
        step(x, number=number)  # expect: TL540


def by_second_keyword(x):
    for number in range(1000):
        step(x, scale=2.0, number=number)  # expect: TL540


def by_enumerate(batches):
    for number, x in enumerate(batches):
        step(x, number)  # expect: TL540


def by_item_of_enumerate(batches):
    """What is handed on is the element, not its number."""
    for number, x in enumerate(batches):
        step(x, x)


def by_pair(batches):
    for pair in enumerate(batches):
        step(pair[1], pair[0])  # expect: TL540


def by_zip(batches, numbers):
    for number, x in zip(numbers, batches):
        step(x, number)


def by_sum(x):
    for number in range(1000):
        step(x, number + 1)  # expect: TL540


def by_product(x):
    for number in range(1000):
        step(x, 2 * number)  # expect: TL540


def by_remainder(x):
    """The remainder is one of a few."""
    for number in range(1000):
        step(x, number % 4)


def by_quotient(x):
    """It changes every hundred rounds: few traces."""
    for number in range(1000):
        step(x, number // 100)


def by_constant_sum(x):
    for number in range(1000):
        step(x, STEPS + 1)


def by_float(x):
    for number in range(1000):
        step(x, float(number))  # expect: TL540


def by_int_of_sum(x):
    for number in range(1000):
        step(x, int(number + 1))  # expect: TL540


def by_int_of_array(x, counts):
    for number in range(1000):
        step(x, int(counts.max()))


def by_int_of_nothing(x):
    for number in range(1000):
        step(x, int())


def by_numpy(x):
    for number in range(1000):
        step(x, np.float32(number))


def by_tensor(x):
    for number in range(1000):
        step(x, tf.constant(number))


def by_tensorflow_range(x):
    for number in tf.range(1000):
        step(x, number)


def by_dataset(data):
    for number, x in data.enumerate():
        step(x, number)


def by_signature(x):
    for number in range(1000):
        signed(x, number)


def by_counter(batches):
    number = 0
    for x in batches:
        step(x, number)  # expect: TL540
        number += 1


def by_counter_from_setting(batches, number):
    """It may have begun as a tensor."""
    for x in batches:
        step(x, number)
        number += 1


def by_doubling(batches):
    number = 1
    for x in batches:
        step(x, number)
        number = number * 2


def by_float_counter(batches):
    number = 0.0
    for x in batches:
        step(x, number)  # expect: TL540
        number += 0.5


def by_last_seen(batches):
    """The name is that of what was there before, no count."""
    last = 0
    for x in batches:
        step(x, last)
        last = x


def by_counter_of_outer(epochs, batches):
    """The number of the epoch: as many traces as there are epochs."""
    for epoch in range(epochs):
        for x in batches:
            step(x, epoch)  # expect: TL540


def by_counter_of_the_loop_before(batches):
    number = 0
    for x in batches:
        number += 1
    for x in batches:
        step(x, number)


def after_the_loop(batches):
    number = 0
    for x in batches:
        number += 1
    return step(x, number)


def by_while(x):
    number = 0
    while number < 1000:
        step(x, number)  # expect: TL540
        number = number + 1


def in_a_list(x):
    for number in (16, 32, 64):
        step(x, number)


def in_a_comprehension(x):
    """One loop of one line is as well a loop, but one that people see."""
    return [step(x, number) for number in range(4)]


@tf.function
def in_a_trace(x):
    for number in range(1000):
        x = step(x, number)
    return x


def not_traced(x, number):
    return x * number


def by_range_not_traced(x):
    for number in range(1000):
        not_traced(x, number)


def made_in_rounds(model, batches):
    for x in batches:
        forward = tf.function(model)  # expect: TL540
        forward(x)


def made_before(model, batches):
    forward = tf.function(model)
    for x in batches:
        forward(x)


def made_of_the_round(models, x):
    for model in models:
        x = tf.function(model)(x)
    return x


def made_at_once(model, batches):
    for x in batches:
        tf.function(model)(x)  # expect: TL540


def made_of_lambda(batches):
    for x in batches:
        tf.function(lambda y: y * 2)(x)  # expect: TL540


class Keeper:
    def kept(self, model, batches):
        for x in batches:
            self.forward = tf.function(model)
            self.forward(x)

    def kept_in_a_pair(self, model, batches):
        for x in batches:
            forward = tf.function(model)
            self.last = (forward, x)
            forward(x)

    def result_kept(self, model, batches):
        """What it computed is kept, not the function itself."""
        for x in batches:
            forward = tf.function(model)  # expect: TL540
            self.last = (x, 3)
            forward(x)


def made_of_a_carried_one(model, batches):
    for x in batches:
        x = tf.function(model)(x)
        model = x.model
    return model


def made_of_what_the_round_made(build, batches):
    for x in batches:
        tf.function(build(x))(x)


def made_around_what_the_round_made(batches):
    for x in batches:
        mean = tf.reduce_mean(x)
        tf.function(lambda y: y - mean)(x)


def made_around_its_own_mean(batches):
    for x in batches:
        tf.function(lambda y: y - tf.reduce_mean(y))(x)  # expect: TL540


def made_around_another_round(batches, rates):
    for rate in rates:
        total = rate
    for x in batches:
        tf.function(lambda y: y * total)(x)  # expect: TL540


def made_without_a_call(model, batches):
    made = []
    for x in batches:
        made.append(tf.function(model))
    return made


def made_and_called_behind(model, batches):
    for x in batches:
        forward = tf.function(model)
    return forward(x)


def made_with_options(batches):
    for x in batches:
        decorate = tf.function(jit_compile=True)
        decorate(x)


def nested_in_a_trace(x):
    @tf.function
    def forward(y):
        return y * 2

    return forward(x)


@tf.function
def calls_nested_in_a_trace(xs):
    for _ in range(1000):
        xs = nested_in_a_trace(xs)
    return xs


def nested_beside_a_loop(x):
    @tf.function
    def forward(y):
        return y * 2

    return forward(x)


def calls_nested_beside_a_loop(batches, x):
    for batch in batches:
        print(batch)
    return nested_beside_a_loop(x)


def by_counter_from_float(batches):
    number = "0"
    for x in batches:
        step(x, number)
        number += "0"


def by_two_counters(batches):
    """It is the sum of others, no count."""
    number, other = 0, 0
    for x in batches:
        step(x, number)
        other = other + 1
        number = other * other


def by_deep_sum(x):
    for number in range(1000):
        step(x, (number + 1) * 2)  # expect: TL540


def made_for_a_few(model, x):
    for _ in range(3):
        tf.function(model)(x)


def made_for_many_calls(model, parts):
    """A trace for many calls is worth it."""
    for part in parts:
        forward = tf.function(model)
        for x in part:
            forward(x)


def nested(x):
    @tf.function
    def forward(y):
        return y * 2

    return forward(x)  # expect: TL540


def calls_nested(batches):
    for x in batches:
        nested(x)


def nested_alone(x):
    @tf.function
    def forward(y):
        return y * 2

    return forward(x)


def calls_nested_once(x):
    return nested_alone(x)


def nested_and_returned(x):
    @tf.function
    def forward(y):
        return y * 2

    forward(x)
    return forward


def calls_nested_and_returned(batches):
    for x in batches:
        nested_and_returned(x)


def nested_and_registered(x, registry):
    @tf.function
    def forward(y):
        return y * 2

    registry.add(forward)
    return forward(x)


def calls_nested_and_registered(batches, registry):
    for x in batches:
        nested_and_registered(x, registry)


def nested_around_what_is_given(x, model):
    @tf.function
    def forward(y):
        return model(y)

    return forward(x)


def calls_nested_around(batches, model):
    for x in batches:
        nested_around_what_is_given(x, model)


def nested_around_what_is_made(x):
    layer = tf.keras.layers.Dense(3)

    @tf.function
    def forward(y):
        return layer(y)

    return forward(x)


def calls_nested_around_made(batches):
    for x in batches:
        nested_around_what_is_made(x)


def nested_with_a_loop(xs):
    @tf.function
    def forward(y):
        return y * 2

    return [forward(x) for x in xs]


def calls_nested_with_a_loop(batches):
    for xs in batches:
        nested_with_a_loop(xs)


def nested_for_a_few(x):
    @tf.function
    def forward(y):
        return y * 2

    return forward(x)


def calls_nested_for_a_few(x):
    for _ in range(3):
        x = nested_for_a_few(x)
    return x


@functools.lru_cache
def nested_in_cached(count):
    @tf.function
    def forward(y):
        return y * 2

    return forward


class Learner:
    def run(self, x, iterations=1):
        return self._train(x, iterations)  # expect: TL540

    @tf.function
    def _train(self, x, iterations):
        for _ in tf.range(iterations):
            x = x * 2
        return x

    def run_by_keyword(self, x, iterations=1):
        return self._named(x, iterations=iterations)  # expect: TL540

    @tf.function
    def _named(self, x, iterations):
        for _ in tf.range(iterations):
            x = x * 2
        return x

    def run_without_range(self, x, iterations=1):
        return self._without(x, iterations)

    @tf.function
    def _without(self, x, iterations):
        return x * iterations

    def run_required(self, x, iterations):
        """Without a default it may be a tensor."""
        return self._required(x, iterations)

    @tf.function
    def _required(self, x, iterations):
        for _ in tf.range(iterations):
            x = x * 2
        return x

    def run_float(self, x, limit=1.0):
        return self._float(x, limit)

    @tf.function
    def _float(self, x, limit):
        for _ in tf.range(limit):
            x = x * 2
        return x

    def run_other_range(self, x, iterations=1):
        """Another number bounds the loop."""
        return self._other(x, iterations)

    @tf.function
    def _other(self, x, iterations, rounds=3):
        for _ in tf.range(rounds):
            x = x * iterations
        return x

    def run_one_number(self, x, iterations=4):
        """All its callers are in sight, and say one number."""
        return self._one(x, iterations)

    @tf.function
    def _one(self, x, iterations):
        for _ in tf.range(iterations):
            x = x * 2
        return x

    def run_two_numbers(self, x, iterations=4):
        return self._two(x, iterations)  # expect: TL540

    @tf.function
    def _two(self, x, iterations):
        for _ in tf.range(iterations):
            x = x * 2
        return x

    def run_chosen_number(self, x, iterations=4):
        return self._chosen(x, iterations)  # expect: TL540

    @tf.function
    def _chosen(self, x, iterations):
        for _ in tf.range(iterations):
            x = x * 2
        return x


def main(x, count):
    learner = Learner()
    learner.run_one_number(x, 8)
    learner.run_two_numbers(x, 8)
    learner.run_two_numbers(x, iterations=16)
    return learner.run_chosen_number(x, iterations=count)
