"""A distributed checkpoint is written by all ranks together, and one begins."""

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp


def main():
    model = torch.nn.Linear(2, 2)
    if dist.get_rank() == 0:
        dcp.save({"model": model.state_dict()}, checkpoint_id="checkpoint")  # expect: TL106  # stuck: 0
    return dist.get_world_size()
