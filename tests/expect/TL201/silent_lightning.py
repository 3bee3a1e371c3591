"""Lightning's Trainer and Fabric set the epoch of the samplers of their loaders."""

import lightning as L
import torch
from torch.nn.functional import cross_entropy
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


class Net(L.LightningModule):
    def __init__(self, classes):
        super().__init__()
        self.linear = torch.nn.Linear(512, classes)

    def training_step(self, batch, batch_index):
        x, y = batch
        return cross_entropy(self.linear(x), y)

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=1e-3)


class Pets(L.LightningDataModule):
    def __init__(self, dataset):
        super().__init__()
        self.dataset = dataset

    def train_dataloader(self):
        return DataLoader(self.dataset, batch_size=16, sampler=DistributedSampler(self.dataset))


def with_trainer(dataset, stages):
    for stage in range(stages):
        trainer = L.Trainer(max_epochs=3, devices=4, strategy="ddp", use_distributed_sampler=False)
        trainer.fit(Net(10), datamodule=Pets(dataset))


def with_fabric(dataset, model, epochs):
    fabric = L.Fabric(devices=4, strategy="ddp")
    fabric.launch()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    model, optimizer = fabric.setup(model, optimizer)
    loader = DataLoader(dataset, batch_size=16, sampler=DistributedSampler(dataset))
    loader = fabric.setup_dataloaders(loader, use_distributed_sampler=False)
    for epoch in range(epochs):
        for x, y in loader:
            loss = cross_entropy(model(x), y)
            optimizer.zero_grad()
            fabric.backward(loss)
            optimizer.step()
