"""The second half of a split barrier, behind a way out that all ranks may take (NVlabs/imaginaire)."""

import torch.distributed as dist


def prepare(name, make):
    if dist.is_initialized() and dist.get_rank() != 0:
        dist.barrier()  # expect: TL101
    if name == "known":
        network = make()
    else:
        print("no such network")
        return None
    if dist.is_initialized() and dist.get_rank() == 0:
        dist.barrier()
    return network


def right(name, make):
    if dist.is_initialized() and dist.get_rank() != 0:
        dist.barrier()
    network = make() if name == "known" else None
    if dist.is_initialized() and dist.get_rank() == 0:
        dist.barrier()
    return network
