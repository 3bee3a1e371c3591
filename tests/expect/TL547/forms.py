"""Pipelines that end without prefetch, and some that need none."""
# Modelled on keras-team/keras-cv (train_pillars, deeplab), dragen1860/TensorFlow-2.x-Tutorials, google/automl (segmentation).

import tensorflow as tf
import tensorflow_datasets as tfds


class Trainer:
    def __init__(self, model, optimizer, path):
        self.model = model
        self.optimizer = optimizer
        self.data = tf.data.TFRecordDataset(path).map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)

    def parse(self, example):
        return tf.io.parse_single_example(example, {})

    @tf.function
    def train_step(self, batch):
        with tf.GradientTape() as tape:
            loss = self.model(batch)
        self.optimizer.apply_gradients(zip(tape.gradient(loss, self.model.weights), self.model.weights))

    def run(self, epochs):
        batches = self.data.padded_batch(8)  # expect: TL547
        for _ in range(epochs):
            for batch in batches:
                self.train_step(batch)


def prefetched_by_the_caller(name, size, process):
    return tfds.load(name, split="train").map(process).batch(size)


def main(model, process):
    train = prefetched_by_the_caller("voc", 8, process).prefetch(2)
    model.fit(train, epochs=100)


def in_some_runs(model, process, tuned):
    data = tfds.load("voc", split="train").map(process).batch(8)
    model.fit(data.prefetch(tf.data.AUTOTUNE) if tuned else data)


def on_replicas(strategy, step, files, parse):
    data = strategy.experimental_distribute_dataset(tf.data.TFRecordDataset(files).map(parse).batch(8))
    for batch in data:
        strategy.run(step, args=(batch,))
