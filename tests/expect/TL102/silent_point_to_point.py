"""After the exit only sends and receives."""

import torch.distributed as dist


def ring(rank, world_size, tensor):
    if rank == world_size - 1:
        dist.recv(tensor, src=rank - 1)
        return tensor
    dist.send(tensor, dst=rank + 1)
    return tensor


def collect(rank, world_size, tensor):
    if rank != 0:
        dist.send(tensor, dst=0)
        return None
    parts = [tensor]
    for source in range(1, world_size):
        dist.recv(tensor, src=source)
        parts.append(tensor.clone())
    return parts


def skip_myself(rank, world_size, tensor):
    for peer in range(world_size):
        if peer == rank:
            continue
        dist.isend(tensor, dst=peer).wait()
