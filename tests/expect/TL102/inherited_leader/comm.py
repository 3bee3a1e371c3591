import torch.distributed as dist


def gather_names(names):
    out = [None] * dist.get_world_size()
    dist.all_gather_object(out, names)
    return sorted({name for part in out for name in part})
