"""A rank that has no memory left for a batch goes through a pass of another one: the others do not wait."""

import torch
from torch.nn.parallel import DistributedDataParallel


class Trainer:
    def __init__(self, network, criterion, optimizer):
        self.model = DistributedDataParallel(network)
        self.criterion = criterion
        self.optimizer = optimizer
        self.spare = None

    def catch_up(self):
        loss = 0 * self.criterion(self.model(self.spare[0]), self.spare[1])
        loss.backward()

    def step(self, inputs, targets):
        self.spare = inputs, targets
        try:
            self.criterion(self.model(inputs), targets).backward()
            behind = False
        except RuntimeError as error:
            if "out of memory" not in str(error):
                raise
            behind = True
        if behind:
            torch.cuda.empty_cache()
            self.catch_up()
        self.optimizer.step()


class Monitor:
    """What could not be made in a constructor is missing on all ranks."""

    def __init__(self, build):
        self.parts = {}
        try:
            self.kind = build()
            found = True
        except Exception:
            found = False
        self.kind = self.kind if found else "none"

    def report(self):
        if self.kind == "largest":
            for part in self.parts.values():
                torch.distributed.all_reduce(part)
