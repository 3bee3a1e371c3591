"""A meter that averages over the processes: the reduction of some libraries is recorded, of others it is not."""

import horovod.torch as hvd
import torch
import torch.distributed as dist
import torch.nn.functional as F


class Average:
    def __init__(self, name):
        self.name, self.sum, self.n = name, torch.tensor(0.0), torch.tensor(0.0)

    def update(self, value):
        self.sum += hvd.allreduce(value.cpu(), name=self.name)
        self.n += 1


class Detached(Average):
    def update(self, value):
        self.sum += hvd.allreduce(value.detach().cpu(), name=self.name)
        self.n += 1


class InPlace(Average):
    def update(self, value):
        number = torch.tensor(float(value))
        dist.all_reduce(number)
        self.sum += number
        self.n += 1


def train(epoch, model, loader, optimizer):
    average, detached, in_place = Average(f"loss {epoch}"), Detached("detached"), InPlace("in place")
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        average.update(loss)  # expect: TL302
        detached.update(loss)
        in_place.update(loss)
