"""The folder is kept in an object: by its constructor, by somebody else, in a class of settings or a dict with attributes."""

import os
import tempfile
from dataclasses import dataclass, field

import torch
import torch.distributed as dist


class Trainer:
    def __init__(self, folder, worker_folder, args):
        dist.init_process_group("nccl")
        self.folder = folder
        self.mine = os.path.join(folder, f"rank{dist.get_rank()}")
        self.given = worker_folder
        self.spare = tempfile.mkdtemp()
        self.args = args
        self.kept = args.folder
        self.step = 0

    def save(self, model):
        dist.barrier()
        torch.save(model.state_dict(), os.path.join(self.folder, "last.pt"))  # expect: TL112

    def save_mine(self, model):
        dist.barrier()
        torch.save(model.state_dict(), os.path.join(self.mine, "last.pt"))

    def save_given(self, model):
        dist.barrier()
        torch.save(model.state_dict(), os.path.join(self.given, "last.pt"))

    def save_spare(self, model):
        dist.barrier()
        torch.save(model.state_dict(), os.path.join(self.spare, "last.pt"))

    def save_kept(self, model):
        dist.barrier()
        torch.save(model.state_dict(), os.path.join(self.kept, "last.pt"))  # expect: TL112

    def save_as_told(self, model):
        dist.barrier()
        torch.save(model.state_dict(), os.path.join(self.args.folder, "last.pt"))  # expect: TL112

    def save_as_told_on_each(self, model):
        dist.barrier()
        torch.save(model.state_dict(), os.path.join(self.args.node_folder, "last.pt"))

    def save_numbered(self, model):
        dist.barrier()
        self.step += 1
        torch.save(model.state_dict(), os.path.join(self.folder, f"{self.step}.pt"))  # expect: TL112


class MadeForEach:
    """Its one maker in sight hands it a folder of the rank."""

    def __init__(self, folder):
        self.folder = folder

    def save(self, model):
        dist.barrier()
        torch.save(model.state_dict(), os.path.join(self.folder, "last.pt"))


def makes_one_for_each(model):
    dist.init_process_group("nccl")
    MadeForEach(f"runs/{dist.get_rank()}").save(model)


class MadeForAll:
    """Its makers in sight hand it one folder."""

    def __init__(self, folder):
        self.folder = folder

    def save(self, model):
        dist.barrier()
        torch.save(model.state_dict(), os.path.join(self.folder, "last.pt"))  # expect: TL112


def makes_one_for_all(model):
    dist.init_process_group("nccl")
    MadeForAll("runs").save(model)


class Unmade:
    """Nobody in sight makes one: what it is given is taken to be no matter of the rank."""

    def __init__(self, folder):
        self.folder = folder

    def save(self, model):
        dist.barrier()
        torch.save(model.state_dict(), os.path.join(self.folder, "last.pt"))  # expect: TL112


class Moved:
    """Somebody else sets the folder of it, to one of the rank."""

    def __init__(self):
        self.folder = "runs"

    def move(self):
        self.folder = f"runs/{dist.get_rank()}"

    def save(self, model):
        dist.barrier()
        torch.save(model.state_dict(), os.path.join(self.folder, "last.pt"))


@dataclass
class Settings:
    folder: str = "runs"
    own_folder: str = f"runs/{os.getpid()}"
    names: tuple = field(default_factory=tuple)


def settings_with_fields(model):
    dist.init_process_group("nccl")
    chosen = Settings()
    torch.save(model.state_dict(), os.path.join(chosen.folder, "last.pt"))  # expect: TL112


def settings_with_own_fields(model):
    dist.init_process_group("nccl")
    chosen = Settings()
    torch.save(model.state_dict(), os.path.join(chosen.own_folder, "last.pt"))


class Bag(dict):
    """A dict whose keys are attributes."""

    def __getattr__(self, key):
        return self[key]


def bag(model, arguments):
    dist.init_process_group("nccl")
    kept = Bag(arguments)
    torch.save(model.state_dict(), os.path.join(kept.output, "last.pt"))  # expect: TL112


def bag_of_a_rank(model, arguments):
    dist.init_process_group("nccl")
    kept = Bag(arguments)
    torch.save(model.state_dict(), os.path.join(kept.rank_output, "last.pt"))


def bag_that_is_set(model, arguments):
    dist.init_process_group("nccl")
    kept = Bag(arguments)
    kept.target = f"runs/{dist.get_rank()}"
    torch.save(model.state_dict(), os.path.join(kept.target, "last.pt"))


class Empty:
    pass


def nothing_is_kept(model):
    dist.init_process_group("nccl")
    kept = Empty()
    torch.save(model.state_dict(), os.path.join(kept.output, "last.pt"))


def set_from_outside(model, args):
    dist.init_process_group("nccl")
    args.share = os.path.join(args.output, str(dist.get_rank()))
    torch.save(model.state_dict(), os.path.join(args.share, "last.pt"))


def set_from_outside_for_all(model, args):
    dist.init_process_group("nccl")
    args.whole = os.path.join(args.output, "whole")
    torch.save(model.state_dict(), os.path.join(args.whole, "last.pt"))  # expect: TL112


def entry_of_settings(model, config):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), os.path.join(config["output"], "last.pt"))  # expect: TL112


def entry_of_settings_with_a_rank(model, config):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), os.path.join(config["local_output"], "last.pt"))


def entry_by_a_rank(model, config):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), os.path.join(config[dist.get_rank()], "last.pt"))


def asked_settings(model, settings):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), os.path.join(settings.get_output(), "last.pt"))  # expect: TL112


def asked_settings_of_a_rank(model, settings):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), os.path.join(settings.get_local_output(), "last.pt"))


def asked_settings_with_a_rank(model, settings):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), os.path.join(settings.output_of(dist.get_rank()), "last.pt"))


def asked_settings_by_keyword(model, settings):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), os.path.join(settings.output_of(who=dist.get_rank()), "last.pt"))
