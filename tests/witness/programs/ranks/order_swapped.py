"""Both sides run the same two collectives, the other way round."""

import torch
import torch.distributed as dist


def main():
    step = torch.tensor([3.0])
    loss = torch.tensor([1.0, 2.0, 3.0])
    if dist.get_rank() == 0:
        dist.broadcast(step, src=0)  # expect: TL104  # stuck: 0
        dist.all_reduce(loss)
    else:
        dist.all_reduce(loss)  # stuck: 1
        dist.broadcast(step, src=0)
    return [step.item(), loss.tolist()]
