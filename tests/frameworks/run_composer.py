"""Two epochs with Composer, on the CPU, for which it has no autocast."""

import composer
import torch
from composer import Callback, ComposerModel, Trainer
from recorder import BATCHES, EPOCHS, EVALUATED, Recorder
from torch.utils.data import DataLoader, TensorDataset

recorder = Recorder()


def loader(count):
    return DataLoader(TensorDataset(torch.randn(count * 4, 8), torch.randint(2, (count * 4,))), batch_size=4)


class Net(ComposerModel):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Dropout(0.1), torch.nn.Linear(8, 2))

    def forward(self, batch):
        return self.net(batch[0])

    def loss(self, outputs, batch):
        return torch.nn.functional.cross_entropy(outputs, batch[1])

    def eval_forward(self, batch, outputs=None):
        return self.forward(batch)

    def get_metrics(self, is_train=False):
        return {}

    def update_metric(self, batch, outputs, metric):
        return None


recorder.model = model = recorder.recorded(Net, "composer.ComposerModel")()
trainer = Trainer(
    model=model, train_dataloader=loader(BATCHES), eval_dataloader=loader(EVALUATED), max_duration=f"{EPOCHS}ep", device="cpu",
    callbacks=[recorder.recorded(Callback, "composer.Callback")()],
    optimizers=torch.optim.SGD(model.parameters(), lr=0.1), progress_bar=False,
)  # fmt: skip
trainer.fit()
recorder.seen(composer.__version__)
