"""Rank 0 starts the other ranks and tells them to join; they come to the same function in the process that was started."""

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
            for rank in range(1, self.world):
                self.commands[rank].put("join")
            self.join()

    def start(self):
        context = multiprocessing.get_context("spawn")
        self.commands = {rank: context.Queue() for rank in range(1, self.world)}
        for rank in range(1, self.world):
            os.environ["RANK"] = str(rank)
            context.Process(target=Predictor.work, args=(rank, self.commands[rank]), daemon=True).start()
        os.environ["RANK"] = "0"

    def join(self):
        dist.init_process_group("nccl")
        dist.all_reduce(torch.ones(8).cuda())

    @staticmethod
    def work(rank, commands):
        predictor = Predictor()
        assert commands.get() == "join"
        predictor.join()
        print("joined", rank)
