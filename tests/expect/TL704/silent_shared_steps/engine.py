"""A trainer whose validation goes through its own ``train_step``: no model, though models of libraries have such a method."""

import torch


class Trainer:
    def __init__(self, model, optimizer=None, world_size=1):
        if world_size > 1:
            model = torch.nn.SyncBatchNorm.convert_sync_batchnorm(model)
        self.model = model
        if optimizer is None:
            self.optimizer = torch.optim.Adam(self.model.parameters())

    def train_step(self, data):
        pred = self.model(data)
        return pred, data, pred.sum()

    def eval_step(self, data):
        return self.train_step(data)

    def train(self, train_loader, valid_loader, max_epochs):
        for epoch in range(max_epochs):
            self.train_one_epoch(train_loader)
            self.evaluate_one_epoch(valid_loader)

    def train_one_epoch(self, loader):
        self.model.train()
        for data in loader:
            _, _, loss = self.train_step(data)
            loss.backward()
            self.optimizer.step()
            self.optimizer.zero_grad()

    def evaluate_one_epoch(self, loader):
        self.model.eval()
        with torch.no_grad():
            for data in loader:
                _, _, loss = self.eval_step(data)
