import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
import zoo


class A(keras.Model):
    def __init__(self):
        super().__init__()
        self.drop = layers.Dropout(0.5)
        self.head = layers.Dense(10)

    def call(self, x, training=None):
        return self.head(self.drop(x, training=training))

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compiled_loss(y, self(x, training=True))
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        return {"loss": loss}

    def test_step(self, data):
        x, y = data
        pred = self(x, training=True)  # expect: TL542
        self.compiled_loss(y, pred)
        return {m.name: m.result() for m in self.metrics}


class B(zoo.Net):
    def test_step(self, data):
        pred = self(data, training=True)  # out of sight
        return pred


class C(keras.Model):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def test_step(self, data):
        images, labels = data
        if len(self.heads) == 2:
            a, b = self.net(images, training=True)  # expect-likely: TL542
        else:
            a = self.net(images, training=True)  # expect-likely: TL542
        return {"loss": a}


def main(strategy, train_data, test_data):
    with strategy.scope():
        model = zoo.resnet50(10)
        optimizer = keras.optimizers.SGD(0.1)

    @tf.function
    def train_step(iterator):
        def step_fn(inputs):
            images, labels = inputs
            with tf.GradientTape() as tape:
                logits = model(images, training=True)
                loss = tf.reduce_mean(keras.losses.sparse_categorical_crossentropy(labels, logits, from_logits=True))
            grads = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(grads, model.trainable_variables))

        strategy.run(step_fn, args=(next(iterator),))

    @tf.function
    def test_step(iterator):
        def step_fn(inputs):
            images = inputs["features"]
            logits = model(images, training=True)  # expect-likely: TL542
            acc.update_state(inputs["labels"], logits)

        strategy.run(step_fn, args=(next(iterator),))

    acc = keras.metrics.SparseCategoricalAccuracy()
    for batch in train_data:
        train_step(batch)
    for batch in test_data:
        test_step(batch)


net = keras.Sequential([layers.Dense(8), layers.BatchNormalization(), layers.Dense(1)])


def train(data, optimizer):
    for x, y in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((net(x, training=True) - y) ** 2)
        optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))


def evaluate(data):
    total = 0.0
    for x, y in data:
        total += tf.reduce_mean((net(x, training=True) - y) ** 2)  # expect-likely: TL542
    return total


def validate_epoch(model, data):
    losses = []
    for x, y in data:
        pred = model(x, training=True)
        losses.append(pred)
    return losses


# right


def evaluate_mc(data, samples):
    for x, y in data:
        preds = []
        for _ in range(samples):
            preds.append(net(x, training=True))
        yield tf.reduce_mean(tf.stack(preds), 0)


def evaluate_right(data):
    for x, y in data:
        yield net(x, training=False)


def train_and_evaluate(data):
    for x, y in data:
        yield net(x, training=True)


def fit(data):
    for x, y in data:
        yield net(x, training=True)


def mean_of_draws(x, n):
    return tf.reduce_mean([net(x, training=True) for _ in range(n)], 0)
