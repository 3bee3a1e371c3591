"""Folders that stand in settings which a function out of sight has read."""

from pathlib import Path

import torch
import torch.distributed as dist
from elsewhere import read_settings


class Job:
    def __init__(self, cfg):
        self.cfg = cfg
        dist.init_process_group("nccl")

    def save(self, model):
        dist.barrier()
        torch.save(model.state_dict(), Path(self.cfg.folder) / "last.pt")  # expect: TL112
        (Path(self.cfg.folder) / "latest").symlink_to("last.pt")  # expect: TL112

    def save_part(self, model):
        dist.barrier()
        torch.save(model.state_dict(), Path(self.cfg.rank_folder) / "last.pt")


def main(model):
    job = Job(read_settings("run.yaml"))
    job.save(model)
    job.save_part(model)


class Settings(dict):
    def __getattr__(self, key):
        return self[key]


def save_all(params, model):
    torch.save(model.state_dict(), Path(params.folder) / "last.pt")  # expect: TL112


def save_own(params, model):
    torch.save(model.state_dict(), Path(params.folder) / f"{params.local_rank}.pt")


def run(model, arguments):
    dist.init_process_group("nccl")
    params = Settings(epochs=3)
    params.update(vars(arguments))
    save_all(params, model)
    save_own(params, model)


def save_each(cfg, model, path):
    dist.init_process_group("nccl")
    first = torch.load(path)["epoch"] + 1
    for epoch in range(first, cfg.epochs):
        torch.save(model.state_dict(), Path(cfg.folder) / f"{epoch}.pt")  # expect: TL112
