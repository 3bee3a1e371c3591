"""Traced functions in loops, with numbers that change and numbers that do not."""
# Modelled on NVIDIA/DeepLearningExamples (BERT), tensorflow/agents, OpenNMT/OpenNMT-tf, google/uncertainty-baselines, TensorSpeech/TensorFlowTTS.

import functools

import tensorflow as tf


def traced(*args, **kwargs):
    relaxed = kwargs.pop("reduce_retracing", True)
    return tf.function(*args, reduce_retracing=relaxed, **kwargs)


class Learner:
    @traced(autograph=True)
    def _train(self, iterator, iterations):
        for _ in tf.range(iterations):
            self.single(iterator)

    def run(self, iterator, iterations=1):
        self._train(iterator, iterations=iterations)  # expect: TL540
        self._train(iterator, tf.constant(iterations))


def run_loop(dataset, model, accumulate=1, epochs=3):
    @tf.function
    def train_steps(iterator, steps):
        for _ in tf.range(steps):
            model(next(iterator))

    iterator = iter(dataset)
    for epoch in range(epochs):
        train_steps(iterator, accumulate)
        train_steps(iterator, tf.convert_to_tensor(epoch, dtype=tf.int32))
        train_steps(iterator, epoch + 1)  # expect: TL540


class Trainer:
    def __init__(self, model, signature):
        self.model, self.steps = model, 0
        self._eval = tf.function(model.evaluate, input_signature=signature)
        self._signed = functools.partial(tf.function, input_signature=signature)(self.step)

    def step(self, batch, number):
        return self.model(batch) * number

    def fit(self, dataset):
        step = tf.function(self.step)
        for number, batch in enumerate(dataset):
            step(batch, number)  # expect: TL540
            self._eval(batch, number)
            if self.steps == 100:
                self.other = tf.function(self.step)
            self.model(batch, number)


def by_each_call(images, labels, weights):
    @tf.function
    def norm(x):
        return tf.sqrt(tf.reduce_sum(x * x))

    @tf.function
    def weighted(x):
        return norm(x) * weights

    return norm(images) + weighted(labels)  # expect: TL540


def made_once(rate):
    @tf.function
    def scaled(x):
        return x * 2

    scaled(tf.ones(3))
    return scaled


def for_many(batches):
    @tf.function
    def influence(x):
        return tf.reduce_sum(x * x)

    return [influence(each) for each in batches]


def repeat(dataset, weights):
    for images, labels in dataset:
        for_many(images)
        by_each_call(images, labels, weights)
        made_once(0.1)
