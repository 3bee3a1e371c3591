"""A script without functions: the rest of the file is what the leaving ranks miss."""

import os
import sys

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
rank = int(os.environ["RANK"])
total = torch.ones(1)
dist.all_reduce(total)

if rank != 0:
    print("worker is done")
    sys.exit(0)

print("total", total.item())
dist.barrier()  # expect: TL102
dist.destroy_process_group()
