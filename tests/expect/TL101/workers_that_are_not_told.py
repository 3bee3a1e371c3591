"""Rank 0 starts the other ranks, and they never come to the collective that it runs."""

import multiprocessing
import os

import torch
import torch.distributed as dist


class Predictor:
    def __init__(self):
        self.rank = int(os.environ["RANK"])
        self.world = int(os.environ["WORLD_SIZE"])
        if self.rank == 0 and self.world > 1:
            self.start()
            self.join()  # expect: TL101

    def start(self):
        context = multiprocessing.get_context("spawn")
        for rank in range(1, self.world):
            context.Process(target=Predictor.work, args=(rank,), daemon=True).start()

    def join(self):
        dist.all_reduce(torch.ones(8).cuda())

    @staticmethod
    def work(rank):
        predictor = Predictor()
        print("started", rank, predictor)
