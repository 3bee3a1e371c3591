"""A traced method that looks at an attribute which its loop changes: the first value stays."""

import tensorflow as tf


class Trainer:
    def __init__(self):
        self.warm = True

    @tf.function
    def step(self, weights):
        if self.warm:  # expect: TL551
            return weights * 0.5
        return weights

    def fit(self, steps):
        found = []
        for number in range(steps):
            found.append(float(self.step(tf.ones(1))[0]))
            if number == 1:
                self.warm = False
        return found


def train(steps):
    return Trainer().fit(steps)
