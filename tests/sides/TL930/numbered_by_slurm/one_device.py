import os

import torch
import torch.distributed as dist

rank, size = int(os.environ["SLURM_PROCID"]), int(os.environ["SLURM_NTASKS"])
dist.init_process_group("nccl", rank=rank, world_size=size)
encoder = torch.nn.Linear(64, 64).to("cuda:0")
decoder = torch.nn.Linear(64, 64).to("cuda:1")
