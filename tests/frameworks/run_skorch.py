"""Two epochs with skorch, on the CPU."""

import numpy as np
import skorch
import torch
from recorder import BATCHES, EPOCHS, EVALUATED, Recorder
from skorch import NeuralNetClassifier
from skorch.callbacks import Callback
from skorch.helper import predefined_split

recorder = Recorder()


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Dropout(0.1), torch.nn.Linear(8, 2))

    def forward(self, x):
        return self.net(x).softmax(-1)


class Classifier(NeuralNetClassifier):
    def initialize(self):
        super().initialize()
        recorder.model = self.module_
        return self


def data(count):
    return np.random.rand(count, 8).astype("float32"), np.random.randint(2, size=count)


held = skorch.dataset.Dataset(*data(EVALUATED * 4))
net = recorder.recorded(Classifier, "skorch.NeuralNet")(
    Net, max_epochs=EPOCHS, batch_size=4, train_split=predefined_split(held), verbose=0,
    callbacks=[recorder.recorded(Callback, "skorch.callbacks.Callback")()],
)  # fmt: skip
net.fit(*data(BATCHES * 4))
recorder.seen(skorch.__version__)
