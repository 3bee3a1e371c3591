import tensorflow as tf


class Runner:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer

    def compiled_step(self):
        @tf.function
        def step(x, y):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(self.model(x, training=True) - y))
            grads = tape.gradient(loss, self.model.trainable_variables)
            self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
            return loss
        return step

    def fit(self, dataset, epochs):
        step = self.compiled_step()
        for epoch in range(epochs):
            for x, y in dataset:
                loss = step(x, y)
            print(epoch, float(loss))
