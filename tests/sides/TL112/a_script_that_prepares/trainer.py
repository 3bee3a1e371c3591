import os

import torch.distributed as dist


def join():
    dist.init_process_group("nccl", rank=int(os.environ["RANK"]), world_size=int(os.environ["WORLD_SIZE"]))


class Trainer:
    def __init__(self):
        join()

    def train(self, args):
        dist.barrier()
