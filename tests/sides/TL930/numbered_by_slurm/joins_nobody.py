import os

import torch

shard = int(os.environ["SLURM_PROCID"])
model = torch.nn.Linear(64, 64).cuda()
print(model(torch.load(f"shard{shard}.pt", weights_only=True)))
