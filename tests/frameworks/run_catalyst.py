"""Two epochs with Catalyst, on the CPU."""

import catalyst
import torch
from catalyst import dl
from recorder import BATCHES, EPOCHS, EVALUATED, Recorder
from torch.utils.data import DataLoader, TensorDataset

recorder = Recorder()


def loader(count):
    return DataLoader(TensorDataset(torch.randn(count * 4, 8), torch.randint(2, (count * 4,))), batch_size=4)


class Runner(dl.Runner):
    def handle_batch(self, batch):
        loss = torch.nn.functional.cross_entropy(self.model(batch[0]), batch[1])
        self.batch_metrics.update({"loss": loss})
        if self.is_train_loader:
            self.engine.backward(loss)
            self.optimizer.step()
            self.optimizer.zero_grad()


recorder.model = model = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Dropout(0.1), torch.nn.Linear(8, 2))
recorder.recorded(Runner, "catalyst.dl.Runner")().train(
    model=model, optimizer=torch.optim.SGD(model.parameters(), lr=0.1), num_epochs=EPOCHS,
    loaders={"train": loader(BATCHES), "valid": loader(EVALUATED)}, logdir="/tmp/catalyst", engine=dl.CPUEngine(),
    callbacks=[recorder.recorded(dl.Callback, "catalyst.dl.Callback")(order=1)],
)  # fmt: skip
recorder.seen(catalyst.__version__)
