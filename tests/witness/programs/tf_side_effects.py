"""A traced method that prints, appends and counts: once."""

import contextlib
import io

import tensorflow as tf


class Trainer:
    def __init__(self):
        self.losses = []
        self.steps = 0

    @tf.function
    def step(self, weights):
        loss = tf.reduce_sum(weights**2)
        self.losses.append(loss)  # expect: TL541
        self.steps += 1  # expect: TL541
        print("loss", loss)  # expect: TL541
        return loss


def train(steps):
    trainer, said = Trainer(), io.StringIO()
    with contextlib.redirect_stdout(said):
        for _ in range(steps):
            trainer.step(tf.ones(4))
    return [len(trainer.losses), trainer.steps, said.getvalue().count("loss")]
