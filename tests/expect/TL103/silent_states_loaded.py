"""A saved state is looked for in a ``try``: asking a sharded model for its state is no training that one rank may fail in."""

import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from torch.distributed.fsdp import fully_shard


class Recipe:
    def __init__(self, model, optimizer, loader):
        self.model = self.prepared(model)
        self.optimizer = optimizer
        self.loader = loader
        self.epoch = 0

    def prepared(self, model):
        for layer in model.layers:
            fully_shard(layer)
        fully_shard(model)
        return model

    def load(self, folder):
        states = {"model": self.model.state_dict(), "epoch": 0}
        dcp.load(states, checkpoint_id=folder)
        return states

    def setup(self, folder, states):
        try:
            states = self.load(folder)
        except Exception as error:
            print("training begins anew", error)
        self.epoch = states["epoch"]

    def train(self, epochs):
        for _ in range(self.epoch, epochs):
            for batch in self.loader:
                loss = self.model(batch).mean()
                loss.backward()
                self.optimizer.step()
                self.optimizer.zero_grad()
            total = loss.detach()
            dist.all_reduce(total)


def main(model, optimizer, loader, folder):
    recipe = Recipe(model, optimizer, loader)
    recipe.setup(folder, {"epoch": 0})
    recipe.train(10)
