import argparse
import os

import torch
import torch.distributed as dist


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--local_rank", type=int, default=0)
    args = parser.parse_args()
    args.local_rank = int(os.environ["RANK"]) % torch.cuda.device_count()
    torch.cuda.set_device(args.local_rank)
    dist.init_process_group("nccl")


main()
