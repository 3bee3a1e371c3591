import argparse
import os

import torch
import torch.distributed as dist

config = {}
parser = argparse.ArgumentParser()
parser.add_argument("--local_rank", type=int, default=0)
args = parser.parse_args()
config["rank"] = int(os.environ["RANK"])
dist.init_process_group("nccl")
torch.cuda.set_device(args.local_rank)
