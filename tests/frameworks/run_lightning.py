"""Two epochs with Lightning's trainer, on the CPU, in bfloat16 autocast."""

import lightning as L
import torch
from recorder import BATCHES, EPOCHS, EVALUATED, WINDOW, Recorder
from torch.utils.data import DataLoader, TensorDataset

recorder = Recorder()
DATA = TensorDataset(torch.randn(EVALUATED * 4, 8), torch.randint(2, (EVALUATED * 4,)))
MORE = TensorDataset(torch.randn(BATCHES * 4, 8), torch.randint(2, (BATCHES * 4,)))


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Dropout(0.1), torch.nn.Linear(8, 2))

    def training_step(self, batch, batch_idx):
        return torch.nn.functional.cross_entropy(self.net(batch[0]), batch[1])

    def validation_step(self, batch, batch_idx):
        return {"out": self.net(batch[0])}

    def test_step(self, batch, batch_idx):
        return self.net(batch[0])

    def predict_step(self, batch, batch_idx=0):
        return self.net(batch[0])

    def configure_optimizers(self):
        optimizer = torch.optim.SGD(self.parameters(), lr=0.1)
        return [optimizer], [torch.optim.lr_scheduler.StepLR(optimizer, 1)]


class Data(L.LightningDataModule):
    def train_dataloader(self):
        return DataLoader(MORE, batch_size=4)

    def val_dataloader(self):
        return DataLoader(DATA, batch_size=4)

    def test_dataloader(self):
        return DataLoader(DATA, batch_size=4)

    def predict_dataloader(self):
        return DataLoader(DATA, batch_size=4)


recorder.model = model = recorder.recorded(Net, "lightning.LightningModule")()
data = recorder.recorded(Data, "lightning.LightningDataModule")()
callback = recorder.recorded(L.Callback, "lightning.Callback")()
trainer = L.Trainer(
    max_epochs=EPOCHS, accumulate_grad_batches=WINDOW, accelerator="cpu", precision="bf16-mixed", num_sanity_val_steps=0,
    logger=False, callbacks=[callback], enable_progress_bar=False, enable_model_summary=False, default_root_dir="/tmp",
)  # fmt: skip
trainer.fit(model, datamodule=data)
for evaluation in (trainer.test, trainer.predict):
    for _ in range(EPOCHS):
        evaluation(model, datamodule=data)
recorder.seen(L.__version__)
