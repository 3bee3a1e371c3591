import argparse
import os

import torch
import torch.distributed as dist


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--local_rank", type=int, default=-1)
    args = parser.parse_args()
    model = torch.nn.Linear(64, 8)
    for name in ("backbone", "head"):
        print(name, args.lr)
    if args.lr > 1:
        raise SystemExit("the rate is too high")
    args.world_size = int(os.environ["WORLD_SIZE"])
    model.cuda(args.local_rank)
    dist.init_process_group("nccl")


main()
