"""Steps that run eagerly in loops, and steps that do not."""
# Modelled on danielegrattarola/spektral (classification_BDGC_disjoint), dragen1860/TensorFlow-2.x-Tutorials, google/uncertainty-baselines
# (uci), dmlc/dgl (gcn), google/automl (train_lib), zzh8829/yolov3-tf2 (train).

import tensorflow as tf

optimizer = tf.keras.optimizers.Adam(1e-3)


def run(model, loss_of, epochs, batches):
    def train_op(inputs, targets):
        with tf.GradientTape() as tape:
            loss = loss_of(targets, model(inputs, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))  # expect: TL548
        return loss

    total = 0.0
    for _ in range(epochs):
        for inputs, targets in batches:
            total += train_op(inputs, targets)
    return total


class Trainer:
    def __init__(self, model):
        self.model = model

    def step(self, batch):
        with tf.GradientTape(persistent=True) as tape:
            loss = self.model(batch)
        optimizer.apply_gradients(zip(tape.gradient(loss, self.model.weights), self.model.weights))  # expect: TL548

    def fit(self, iterator):
        while True:
            self.step(next(iterator))


class Compiled(Trainer):
    @tf.function(experimental_relax_shapes=True)
    def step(self, batch):
        with tf.GradientTape() as tape:
            loss = self.model(batch)
        optimizer.apply_gradients(zip(tape.gradient(loss, self.model.weights), self.model.weights))


def inner(model, batch):
    with tf.GradientTape() as tape:
        loss = model(batch)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.weights), model.weights))


@tf.function
def many_steps(model, iterator, steps):
    for _ in tf.range(steps):
        inner(model, next(iterator))


def replica_step(model, batch):
    with tf.GradientTape() as tape:
        loss = model(batch)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.weights), model.weights))


def distributed(strategy, model, batches):
    for batch in batches:
        strategy.run(replica_step, args=(model, batch))


def watched(model, batch):
    with tf.GradientTape() as tape:
        loss = model(batch)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.weights), model.weights))
    return loss.numpy()


def debugged(model, batches):
    return [watched(model, batch) for batch in batches]


def in_the_mode_that_is_asked_for(flags, model, batches):
    if flags.mode == "eager_tf":
        for batch in batches:
            with tf.GradientTape() as tape:
                loss = model(batch)
            optimizer.apply_gradients(zip(tape.gradient(loss, model.weights), model.weights))
    else:
        model.fit(batches)
