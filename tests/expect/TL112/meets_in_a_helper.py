"""All ranks run what calls a function in which they meet, however deep, whichever way it goes."""

import json
import os
import urllib.request

import torch
import torch.distributed as dist


def synchronize():
    if not dist.is_available() or not dist.is_initialized():
        return
    if dist.get_world_size() == 1:
        return
    dist.barrier()


def fetch(url, path, unpack=False):
    synchronize()
    if dist.get_rank() == 0:
        urllib.request.urlretrieve(url, path)
        if unpack:
            os.system(f"unzip {path}")
    synchronize()


def prepare(url, folder, table):
    archive = os.path.join(folder, "data.zip")
    if not os.path.isdir(folder):
        fetch(url, archive, unpack=True)
    else:
        fetch(url, archive)
    if not os.path.isfile(table):
        write_table(os.listdir(folder), table)


def write_table(names, table):
    with open(table, "w") as file:  # expect: TL112
        json.dump(names, file)


class Checkpoint:
    def __init__(self, folder):
        self.final = os.path.join(folder, "final.pt")
        self.best = os.path.join(folder, "best.pt")

    def restore(self, model):
        synchronize()
        if os.path.exists(self.best):
            model.load_state_dict(torch.load(self.best))

    def finish(self, model):
        torch.save(model.state_dict(), self.final)  # expect: TL112


class Trainer:
    def __init__(self, config, model):
        self.checkpoint = Checkpoint(config.training.folder)
        self.model = model

    def finish(self):
        self.checkpoint.restore(self.model)
        self.checkpoint.finish(self.model)
