"""Local rank 0 is one process on each node: with several nodes it is several."""

import os

import torch
from torch.distributed import init_process_group


class Snapshots:
    def __init__(self, model, path):
        self.local_rank = int(os.environ["LOCAL_RANK"])
        self.rank = int(os.environ["RANK"])
        self.model = model
        self.path = path

    def write(self, epoch):
        torch.save({"model": self.model.state_dict(), "epoch": epoch}, self.path)  # expect: TL112

    def train(self, epochs):
        for epoch in range(epochs):
            print(f"rank {self.rank} is in epoch {epoch}")
            if self.local_rank == 0 and epoch % 10 == 0:
                self.write(epoch)


def main(model, path="snapshot.pt"):
    init_process_group("nccl")
    Snapshots(model, path).train(100)
