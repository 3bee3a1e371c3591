"""Attributes of classes, and fields that a class or its objects have."""

import os
import tempfile

import torch
import torch.distributed as dist


class Layout:
    root = "runs"
    share = f"runs/{os.environ['RANK']}"
    spare = tempfile.mkdtemp()
    suffix = ".pt"

    @classmethod
    def last(cls):
        return cls.root + "/last" + cls.suffix

    @staticmethod
    def first():
        return "runs/first.pt"

    @staticmethod
    def own():
        return f"runs/{os.getpid()}.pt"

    def whole(self):
        return self.root + "/whole.pt"


def of_the_class(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), Layout.root + "/last.pt")  # expect: TL112


def of_the_class_apart(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), Layout.share + "/last.pt")


def of_the_class_spare(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), Layout.spare + "/last.pt")


def of_an_object(model):
    dist.init_process_group("nccl")
    layout = Layout()
    torch.save(model.state_dict(), layout.root + "/last.pt")  # expect: TL112


def of_an_object_apart(model):
    dist.init_process_group("nccl")
    layout = Layout()
    torch.save(model.state_dict(), layout.share + "/last.pt")


def of_an_object_spare(model):
    dist.init_process_group("nccl")
    layout = Layout()
    torch.save(model.state_dict(), layout.spare + "/last.pt")


def by_a_static_method(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), Layout.first())  # expect: TL112


def by_a_static_method_apart(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), Layout.own())


def by_a_method(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), Layout().whole())  # expect: TL112


class Base:
    def __init__(self, folder):
        dist.init_process_group("nccl")
        self.folder = folder

    def save(self, model):
        dist.barrier()
        torch.save(model.state_dict(), os.path.join(self.folder, self.name))


class Shared(Base):
    name = "shared.pt"


class Separate(Base):
    name = f"{os.getpid()}.pt"


class WithName:
    """The name is one for all of its class."""

    name = "with.pt"

    def save(self, model):
        dist.barrier()
        torch.save(model.state_dict(), self.name)  # expect: TL112


class WithOwnName:
    name = f"{os.environ.get('LOCAL_RANK')}.pt"

    def save(self, model):
        dist.barrier()
        torch.save(model.state_dict(), self.name)


class WithRankName:
    rank_name = "with.pt"

    def save(self, model):
        dist.barrier()
        torch.save(model.state_dict(), self.rank_name)


class WithNameThatIsSet:
    name = "with.pt"

    def rename(self):
        self.name = f"{dist.get_rank()}.pt"

    def save(self, model):
        dist.barrier()
        torch.save(model.state_dict(), self.name)


class WithProperty:
    def __init__(self, args):
        self.args = args

    @property
    def folder(self):
        return self.args.output

    @property
    def own_folder(self):
        return f"{self.args.output}/{dist.get_rank()}"

    @property
    def odd_folder(self):
        if self.args.odd:
            return self.args.output
        return tempfile.mkdtemp()

    def save(self, model):
        dist.barrier()
        torch.save(model.state_dict(), os.path.join(self.folder, "last.pt"))  # expect: TL112

    def save_own(self, model):
        dist.barrier()
        torch.save(model.state_dict(), os.path.join(self.own_folder, "last.pt"))

    def save_odd(self, model):
        dist.barrier()
        torch.save(model.state_dict(), os.path.join(self.odd_folder, "last.pt"))
