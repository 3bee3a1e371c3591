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
        return tf.nn.log_softmax(model(x, **kwargs))  # expect: TL542

    @tf.function
    def step(self, x):
        target = self.forward(self.teacher, x, training=False)
        with tf.GradientTape() as tape:
            out = self.forward(self.student, x)
            loss = -tf.reduce_mean(tf.exp(target) * out)
        variables = self.student.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss


def main(teacher, dataset):
    student = build({"widths": [128, 64], "dropout": 0.3})
    distiller = Distiller(teacher, student, keras.optimizers.Adam())
    for x, _ in dataset:
        distiller.step(x)
