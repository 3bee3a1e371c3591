"""`torch` and `dist` come by a star import, out of sight."""

from common import *


def save(model):
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), "model.pt")
        torch.distributed.barrier()  # expect: TL101
