import argparse
import os

import torch
import torch.distributed as dist


class Trainer:
    @property
    def local_rank(self):
        return int(os.environ["RANK"]) % torch.cuda.device_count()

    def start(self):
        dist.init_process_group("nccl")
        torch.cuda.set_device(self.local_rank)


parser = argparse.ArgumentParser()
parser.add_argument("--local_rank", type=int, default=0)
parser.parse_args()
Trainer().start()
