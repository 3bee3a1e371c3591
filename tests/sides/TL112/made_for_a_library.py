"""Objects that are made in sight and whose methods a library calls: what they keep is what they were made with."""

import os

import torch
import torch.distributed as dist
from somewhere import fit


class Whole:
    def __init__(self, folder):
        self.folder = folder

    def on_end(self, model):
        dist.barrier()
        torch.save(model.state_dict(), os.path.join(self.folder, "last.pt"))  # expect: TL112


class Apart:
    def __init__(self, folder):
        self.folder = folder

    def on_end(self, model):
        dist.barrier()
        torch.save(model.state_dict(), os.path.join(self.folder, "last.pt"))


class ByName:
    def __init__(self, folder):
        self.folder = folder

    def on_end(self, model):
        dist.barrier()
        torch.save(model.state_dict(), os.path.join(self.folder, "last.pt"))


class ByValue:
    def __init__(self, folder):
        self.folder = folder

    def on_end(self, model):
        dist.barrier()
        torch.save(model.state_dict(), os.path.join(self.folder, "last.pt"))


class ByKeyword:
    def __init__(self, model, folder="runs"):
        self.model = model
        self.folder = folder

    def on_end(self):
        dist.barrier()
        torch.save(self.model.state_dict(), os.path.join(self.folder, "last.pt"))


class Twice:
    """One of those who make it passes a folder of the rank."""

    def __init__(self, folder):
        self.folder = folder

    def on_end(self, model):
        dist.barrier()
        torch.save(model.state_dict(), os.path.join(self.folder, "last.pt"))


class Named:
    def __init__(self, local_folder):
        self.folder = local_folder

    def on_end(self, model):
        dist.barrier()
        torch.save(model.state_dict(), os.path.join(self.folder, "last.pt"))  # expect: TL112


class Later:
    """It is told its folder by a method that somebody else calls."""

    def begin(self, folder):
        self.folder = folder

    def on_end(self, model):
        dist.barrier()
        torch.save(model.state_dict(), os.path.join(self.folder, "last.pt"))


class Begun:
    """It is told its folder by a method that is called in sight."""

    def begin(self, folder):
        self.folder = folder

    def on_end(self, model):
        dist.barrier()
        torch.save(model.state_dict(), os.path.join(self.folder, "last.pt"))  # expect: TL112


class BegunApart:
    """It is told a folder of the rank."""

    def begin(self, folder):
        self.folder = folder

    def on_end(self, model):
        dist.barrier()
        torch.save(model.state_dict(), os.path.join(self.folder, "last.pt"))


def begun(model):
    callback = Begun()
    callback.begin("runs")
    return callback


def begun_apart(model):
    callback = BegunApart()
    callback.begin(f"runs/{dist.get_rank()}")
    return callback


def callbacks(args, model):
    yield Whole(args.output)
    yield Apart(os.path.join(args.output, str(dist.get_rank())))
    yield ByName(args.node_folder)
    place = os.environ["LOCAL_RANK"]
    yield ByValue(place)
    yield ByKeyword(model, folder=f"runs/{dist.get_rank()}")
    yield Named("runs")
    yield Later()


def more_callbacks(args):
    return [Twice("runs"), Twice(f"runs/{dist.get_rank()}")]


def main(args, model):
    dist.init_process_group("nccl")
    fit(model, [*callbacks(args, model), *more_callbacks(args), begun(model), begun_apart(model)])
