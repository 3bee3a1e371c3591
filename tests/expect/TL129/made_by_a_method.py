"""A method says whether gradients are exchanged: as in pytorch/torchtune and mosaicml/composer."""

from contextlib import nullcontext

from torch.nn.parallel import DistributedDataParallel as DDP


class Trainer:
    def __init__(self, net, criterion, optimizer, rank):
        self.model = DDP(net.to(rank), device_ids=[rank])
        self.criterion, self.optimizer = criterion, optimizer

    def syncing(self, last):
        return nullcontext() if last else self.model.no_sync()

    def late(self, batches):
        for number, (x, y) in enumerate(batches):
            loss = self.criterion(self.model(x), y)
            with self.syncing(number == len(batches) - 1):
                loss.backward()  # expect: TL129
        self.optimizer.step()
        self.optimizer.zero_grad()

    def early(self, batches):
        for number, (x, y) in enumerate(batches):
            with self.syncing(number == len(batches) - 1):
                loss = self.criterion(self.model(x), y)
                loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad()
