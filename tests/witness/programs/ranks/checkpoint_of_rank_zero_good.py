"""All ranks write."""

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp


def main():
    model = torch.nn.Linear(2, 2)
    dcp.save({"model": model.state_dict()}, checkpoint_id="checkpoint")
    if dist.get_rank() == 0:
        print("saved")
    return dist.get_world_size()
