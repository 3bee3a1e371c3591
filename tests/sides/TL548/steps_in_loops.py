"""Training steps of TensorFlow that loops repeat, and what traces them."""

import tensorflow as tf


def step(model, optimizer, loss_of, x, y):
    with tf.GradientTape() as tape:
        loss = loss_of(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))  # expect: TL548
    return loss


def fit(model, optimizer, loss_of, batches):
    for x, y in batches:
        step(model, optimizer, loss_of, x, y)


@tf.function
def traced_step(model, optimizer, loss_of, x, y):
    with tf.GradientTape() as tape:
        loss = loss_of(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def fit_traced(model, optimizer, loss_of, batches):
    for x, y in batches:
        traced_step(model, optimizer, loss_of, x, y)


def in_the_loop(model, optimizer, loss_of, batches):
    for x, y in batches:
        with tf.GradientTape() as tape:
            loss = loss_of(y, model(x, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))  # expect: TL548


def step_once(model, optimizer, loss_of, x, y):
    with tf.GradientTape() as tape:
        loss = loss_of(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def fit_once(model, optimizer, loss_of, x, y):
    return step_once(model, optimizer, loss_of, x, y)


def step_handed_on(model, optimizer, loss_of, x, y):
    with tf.GradientTape() as tape:
        loss = loss_of(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def fit_by_strategy(strategy, model, optimizer, loss_of, batches):
    for x, y in batches:
        strategy.run(step_handed_on, args=(model, optimizer, loss_of, x, y))


def step_that_reads(model, optimizer, loss_of, x, y):
    """It asks for values, which no trace has."""
    with tf.GradientTape() as tape:
        loss = loss_of(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss.numpy()


def fit_that_reads(model, optimizer, loss_of, batches):
    return [step_that_reads(model, optimizer, loss_of, x, y) for x, y in batches]


def attacks(model, batches):
    """Nothing is trained."""
    for x in batches:
        with tf.GradientTape() as tape:
            tape.watch(x)
            loss = model(x)
        yield x + tf.sign(tape.gradient(loss, x))


class Step(tf.keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compute_loss(x, y, self(x, training=True))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


def step_in_a_trace(model, optimizer, loss_of, x, y):
    with tf.GradientTape() as tape:
        loss = loss_of(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


@tf.function
def fit_in_a_trace(model, optimizer, loss_of, batches):
    for x, y in batches:
        step_in_a_trace(model, optimizer, loss_of, x, y)
