"""A tool that turns weights of one format into another: it joins a group of one because the model's library wants one."""

import os

import torch
import torch.distributed
from models import build, old_weights

torch.distributed.init_process_group(
    "nccl", init_method="tcp://" + os.getenv("MASTER_ADDR", "127.0.0.1") + ":29500", world_size=1, rank=0
)
model = build("large")
model.load_state_dict(old_weights("large.bin"))
torch.save({"module": model.state_dict()}, "output.pt")
