"""Two epochs with fastai, on the CPU."""

import fastai
import torch
from fastai.basics import Callback, DataLoaders, Learner
from recorder import BATCHES, EPOCHS, EVALUATED, Recorder
from torch.utils.data import DataLoader, TensorDataset

recorder = Recorder()


def loader(count):
    return DataLoader(TensorDataset(torch.randn(count * 4, 8), torch.randint(2, (count * 4,))), batch_size=4)


recorder.model = model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Dropout(0.1), torch.nn.Linear(8, 2))
learner = Learner(
    DataLoaders(loader(BATCHES), loader(EVALUATED)), model, loss_func=torch.nn.functional.cross_entropy,
    cbs=[recorder.recorded(Callback, "fastai.callback.core.Callback", plain=lambda self: None)()],
)  # fmt: skip
with learner.no_logging():
    learner.fit(EPOCHS, lr=0.1)
recorder.seen(fastai.__version__)
