"""What stands in the way is a setting, or a question without a rank in it: all ranks answer it alike."""

import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def is_table(path):
    return path.endswith((".csv", ".tsv"))


class Trainer:
    def __init__(self, config, model, folder):
        self.config = config
        self.folder = folder
        self.model = model
        self.keep_all = config.keep_all
        self.epoch = 0

    def wrap(self):
        self.model = DistributedDataParallel(self.model)

    def fit(self, epochs, train):
        self.wrap()
        for self.epoch in range(epochs):
            train(self.model)
            if self.config.save_each:
                self.save("each.pt")
        if self.keep_all:
            self.save("last.pt")

    def save(self, name):
        torch.save(self.model.state_dict(), os.path.join(self.folder, name))  # expect: TL112


def main(args, table):
    dist.init_process_group("nccl")
    if is_table(args.data):
        with open(os.path.join(args.out, "columns.txt"), "w") as file:  # expect: TL112
            file.write(",".join(table.columns))


def size_of_the_environment(folder):
    """The number of processes tells no rank from another."""
    if "RANK" in os.environ:
        world_size, rank = int(os.environ["WORLD_SIZE"]), int(os.environ["RANK"])
    else:
        world_size, rank = 1, 0
    dist.init_process_group("nccl", rank=rank, world_size=world_size)
    if world_size > 1 and not os.path.exists(folder):
        os.makedirs(folder)  # expect: TL112
