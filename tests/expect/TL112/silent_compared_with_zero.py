"""A number from out of sight that is compared with 0 may be the rank, whatever it is called."""

import torch
import torch.distributed as dist


def keep(model, number, path):
    dist.barrier()
    if number == 0:
        torch.save(model.state_dict(), path)


class Keeper:
    def __init__(self, which):
        self.which = which

    def keep(self, model):
        dist.barrier()
        if self.which != 0:
            return
        torch.save(model.state_dict(), "last.pt")
