"""State that a tf.function looks at once: changed between its calls, before the first, or kept where the trace sees it."""
# Modelled on TensorSpeech/TensorFlowTTS (tacotron2, train_melgan_stft) and tensorflow/docs (guide to tf.function).

import tensorflow as tf

warm = True


@tf.function
def scaled(x):
    return x * 0.1 if warm else x  # expect: TL551


def loop(batches):
    global warm
    for number, x in enumerate(batches):
        scaled(x)
        if number > 100:
            warm = False


class Trainer:
    def __init__(self, model):
        self.model = model
        self.beta = 0.0
        self.phase = "warm"
        self.window = False
        self.rate = tf.Variable(0.1)

    def setup_window(self):
        self.window = True

    @tf.function(reduce_retracing=True)
    def step(self, x):
        loss = tf.reduce_mean(self.model(x)) * self.rate
        if self.window:
            loss = loss * 2
        if self.phase == "warm":  # expect: TL551
            return loss
        return self.weigh(loss)

    def weigh(self, loss):
        return loss + self.beta * tf.nn.l2_loss(loss)  # expect: TL551

    def after(self, number):
        self.beta += 0.01
        self.rate.assign(0.1 / number)
        if number == 1000:
            self.phase = "joint"

    def fit(self, batches):
        self.setup_window()
        for number, x in enumerate(batches):
            self.step(x)
            self.after(number)


class Anew:
    def __init__(self, model):
        self.model, self.adversarial = model, False
        self.step = tf.function(self.train)

    def train(self, x):
        return self.model(x) if self.adversarial else x

    def fit(self, batches):
        for x in batches:
            self.step(x)

    def second(self, batches):
        self.adversarial = True
        self.step = tf.function(self.train)
        self.fit(batches)
