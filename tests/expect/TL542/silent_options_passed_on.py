import tensorflow as tf
from tensorflow import keras


def build(cfg):
    layers = [keras.layers.Flatten()]
    for width in cfg["widths"]:
        layers += [keras.layers.Dense(width, activation="relu"), keras.layers.Dropout(cfg["dropout"])]
    layers.append(keras.layers.Dense(10))
    return keras.Sequential(layers)


class Distiller:
    def __init__(self, teacher, student, optimizer):
        self.teacher = teacher
        self.student = student
        self.optimizer = optimizer

    def forward(self, model, x, **kwargs):
        return tf.nn.log_softmax(model(x, **kwargs))

    @tf.function
    def step(self, x):
        target = self.forward(self.teacher, x, training=False)
        with tf.GradientTape() as tape:
            out = self.forward(self.student, x, training=True)
            loss = -tf.reduce_mean(tf.exp(target) * out)
        variables = self.student.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss


def main(teacher, dataset):
    student = build({"widths": [128, 64], "dropout": 0.3})
    distiller = Distiller(teacher, student, keras.optimizers.Adam())
    for x, _ in dataset:
        distiller.step(x)


class Encoder(keras.Model):
    """Its dropout is told its mode by an attribute: what the caller says of it changes nothing."""

    def __init__(self, options):
        super().__init__()
        self.trains = options.training
        self.dropout = keras.layers.Dropout(options.rate)
        self.out = keras.layers.Dense(10)

    def call(self, inputs):
        return self.out(self.dropout(inputs, training=self.trains))


def told_by_an_attribute(options, dataset):
    encoder, optimizer = Encoder(options), keras.optimizers.Adam()
    for x, y in dataset:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(encoder(x) - y))
        variables = encoder.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))


class Classifier(keras.Model):
    """Its callers tell the mode by a parameter of its own."""

    def __init__(self):
        super().__init__()
        self.norm = keras.layers.BatchNormalization()
        self.out = keras.layers.Dense(10)

    def call(self, inputs, is_training=False):
        return self.out(self.norm(inputs, training=is_training))


def told_by_a_parameter_of_its_own(dataset):
    classifier, optimizer = Classifier(), keras.optimizers.Adam()
    for x, y in dataset:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(classifier(x, is_training=True) - y))
        variables = classifier.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
