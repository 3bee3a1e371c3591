"""A flag that rank 0 sets and all ranks are told of, or that every rank sets; writers that only rank 0 asks for."""

import torch
import torch.distributed as dist
from torch.utils.tensorboard import SummaryWriter


class Told:
    def __init__(self):
        self.stop = False

    def decide(self, score, best):
        if dist.get_rank() == 0:
            self.stop = score > best
        flag = [self.stop]
        dist.broadcast_object_list(flag, src=0)
        self.stop = flag[0]

    def fit(self, epochs, run, best):
        for epoch in range(epochs):
            self.decide(run(epoch), best)
            if self.stop:
                break
            dist.barrier()


class Shared:
    def __init__(self):
        self.stop = torch.zeros(1)
        if dist.get_rank() == 0:
            self.stop = torch.ones(1)

    def fit(self, epochs, run):
        for epoch in range(epochs):
            run(epoch)
            dist.broadcast(self.stop, src=0)
            if self.stop.item():
                break
            dist.barrier()


class Every:
    def __init__(self, distributed):
        self.stop = False
        self.distributed = distributed
        self.group = None
        if distributed:
            self.group = dist.group.WORLD

    def fit(self, epochs, run, limit):
        for epoch in range(epochs):
            if run(epoch) > limit:
                self.stop = True
            if self.stop:
                break
            if self.group is not None:
                dist.barrier()


class Logged:
    def __init__(self, folder):
        self.writer = SummaryWriter(folder) if dist.get_rank() == 0 else None
        self.started = False
        if dist.get_rank() == 0:
            self.started = True

    def log(self, loss, step):
        dist.all_reduce(loss)
        if self.writer is not None and self.started:
            self.writer.add_scalar("loss", loss, step)


class Patience:
    def __init__(self):
        self.best = 1e9
        self.over = False

    def update(self, score):
        if score < self.best:
            self.best = score
        else:
            self.over = True


def patiently(steps, validate):
    patience = Patience()
    for step in range(steps):
        dist.barrier()
        patience.update(validate(step))
        if patience.over:
            break


def told(steps, validate):
    patience = Patience()
    for step in range(steps):
        if dist.get_rank() == 0:
            patience.update(validate(step))
        flag = [patience.over]
        dist.broadcast_object_list(flag, src=0)
        if flag[0]:
            break
