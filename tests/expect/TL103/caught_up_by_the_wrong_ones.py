"""A rank that has no memory left for a batch leaves it out, and those that had run a second pass."""

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

    def fit(self, loader):
        for inputs, targets in loader:
            self.spare = inputs, targets
            try:
                self.criterion(self.model(inputs), targets).backward()  # expect: TL103
                behind = False
            except RuntimeError as error:
                if "out of memory" not in str(error):
                    raise
                behind = True
            if behind:
                torch.cuda.empty_cache()
            else:
                self.catch_up()  # expect: TL103
            self.optimizer.step()
            self.optimizer.zero_grad()
