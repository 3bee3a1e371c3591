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
