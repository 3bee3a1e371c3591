"""What stands in the way may be the rank's own: a thing that one rank has, a flag that it was given, an answer about it."""

import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.tensorboard import SummaryWriter


def allowed(job):
    return job.rank == 0


class Trainer:
    def __init__(self, config, model, folder, writer=None, writes=False):
        self.config = config
        self.folder = folder
        self.model = model
        self.writer = writer
        self.writes = writes

    def wrap(self):
        self.model = DistributedDataParallel(self.model)

    def fit(self, epochs, train):
        self.wrap()
        for _ in range(epochs):
            train(self.model)
            if self.writer is not None:
                self.save("a.pt")
            if self.config.is_main:
                self.save("b.pt")
            if self.writes:
                self.save("c.pt")
            if allowed(self.config):
                self.save("e.pt")

    def save(self, name):
        torch.save(self.model.state_dict(), os.path.join(self.folder, name))


def main(config, model, train):
    dist.init_process_group("nccl")
    writer = SummaryWriter(config.out) if dist.get_rank() == 0 else None
    trainer = Trainer(config, model, config.out, writer=writer, writes=dist.get_rank() == 0)
    trainer.fit(config.epochs, train)


class Judge:
    """Who makes these is out of sight, and may have given a tracker to one of them only."""

    def __init__(self, folder, tracker, job):
        self.folder = folder
        self.tracker = tracker
        self.job = job

    def finish(self, scores):
        dist.all_reduce(scores)
        if self.tracker is not None:
            torch.save(scores, os.path.join(self.folder, "a.pt"))
        if self.tracker.enabled:
            torch.save(scores, os.path.join(self.folder, "b.pt"))
        if self.job.writer:
            torch.save(scores, os.path.join(self.folder, "c.pt"))
        if self.job.may_save():
            torch.save(scores, os.path.join(self.folder, "d.pt"))


class Part:
    """The folder is another one for each of these."""

    def __init__(self, folder):
        self.folder = folder

    def save(self, model):
        torch.save(model.state_dict(), os.path.join(self.folder, "part.pt"))


def parts(args, model):
    dist.init_process_group("nccl")
    Part(f"{args.out}/{dist.get_rank()}").save(model)


def from_the_environment(folder):
    """Without a launcher there is one process, whose rank is 0; nothing tells that from rank 0 of a job."""
    if "RANK" in os.environ:
        world_size, rank = int(os.environ["WORLD_SIZE"]), int(os.environ["RANK"])
    else:
        world_size, rank = 1, 0
    dist.init_process_group("nccl", rank=rank, world_size=world_size)
    if rank == 0 and not os.path.exists(folder):
        os.makedirs(folder)


def unless_the_environment_says_nothing(folder):
    try:
        world_size, rank = int(os.environ["WORLD_SIZE"]), int(os.environ["RANK"])
    except KeyError:
        world_size, rank = 1, 0
    dist.init_process_group("nccl", rank=rank, world_size=world_size)
    if not os.path.exists(folder) and rank == 0:
        os.makedirs(folder)
