# Rank 0 finds that it is enough; the others are told by a sum, before anybody leaves.
import torch
import torch.distributed as dist


def world_size():
    return dist.get_world_size() if dist.is_initialized() else 1


def reduce_mean(tensor):
    if world_size() < 2:
        return tensor
    tensor = tensor.clone()
    dist.all_reduce(tensor)
    return tensor / world_size()


def main():
    if dist.get_rank() > 0:
        dist.barrier()
    if dist.get_rank() == 0:
        dist.barrier()
    stop = False
    for epoch in range(4):
        if dist.get_rank() == 0:
            stop = epoch >= 1
        stop = reduce_mean(torch.tensor(float(stop))).item() > 0
        if stop:
            break


main()
