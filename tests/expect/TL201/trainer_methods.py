"""The loader is an attribute; the epoch loop and the batch loop stand in different methods."""

import torch
from torch.nn.functional import cross_entropy
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


class ForgetfulTrainer:
    def __init__(self, model, train_data: DataLoader, local_rank: int):
        self.model = DistributedDataParallel(model, device_ids=[local_rank])
        self.train_data = train_data
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-3)

    def _run_batch(self, x, y):
        self.optimizer.zero_grad()
        loss = cross_entropy(self.model(x), y)
        loss.backward()
        self.optimizer.step()

    def _run_epoch(self, epoch):
        self.model.train()
        for x, y in self.train_data:
            self._run_batch(x, y)

    def train(self, max_epochs: int):
        for epoch in range(max_epochs):  # expect: TL201
            self._run_epoch(epoch)


class CarefulTrainer(ForgetfulTrainer):
    """Sets the epoch where the batches are read."""

    def _run_epoch(self, epoch):
        self.train_data.sampler.set_epoch(epoch)
        self.model.train()
        for x, y in self.train_data:
            self._run_batch(x, y)

    def train(self, max_epochs: int):
        for epoch in range(max_epochs):
            self._run_epoch(epoch)


class OwnerOfItsLoader:
    """Builds the loader in a method, and keeps the sampler beside it."""

    def __init__(self, model, dataset):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.loader = self._make_loader(dataset)

    def _make_loader(self, dataset):
        self.shards = DistributedSampler(dataset, shuffle=True)
        return DataLoader(dataset, batch_size=32, sampler=self.shards)

    def _one_epoch(self):
        for x, y in self.loader:
            loss = cross_entropy(self.model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()

    def fit_forgetful(self, epochs):
        for number in range(epochs):  # expect: TL201
            self._one_epoch()

    def fit(self, epochs):
        for number in range(epochs):
            self.shards.set_epoch(number)
            self._one_epoch()


def prepare_dataloader(dataset, batch_size):
    return DataLoader(dataset, batch_size=batch_size, shuffle=False, sampler=DistributedSampler(dataset))


def main(dataset, model, local_rank, careful):
    loader = prepare_dataloader(dataset, 32)
    if careful:
        trainer = CarefulTrainer(model, loader, local_rank)
        trainer.train(10)
    else:
        forgetful = ForgetfulTrainer(model, loader, local_rank)
        forgetful.train(10)
    owner = OwnerOfItsLoader(model, dataset)
    owner.fit_forgetful(2)
    owner.fit(2)
