import torch.distributed as dist

from .where import if_lead


def store(brain, epoch):
    stamp = [f"epoch{epoch}"]
    dist.broadcast_object_list(stamp, src=0)
    if if_lead():
        brain.write(stamp[0])
