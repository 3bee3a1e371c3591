"""The wrapper's own switch keeps rank 0 from communicating alone."""

import torch.distributed as dist


def evaluate(model, loader, synchronize=True):
    total = sum(model(batch) for batch in loader)
    if synchronize:
        dist.all_reduce(total)
    return total


def reduce_if(tensor, world_size):
    if world_size == 1:
        return tensor
    dist.all_reduce(tensor)
    return tensor


def validate_on_one(rank, model, loader):
    if rank == 0:
        print(evaluate(model, loader, synchronize=False))
        print(reduce_if(model.loss, 1))
    dist.barrier()


def validate_with_keyword(rank, model, loader, share=False):
    return evaluate(model, loader, synchronize=share)


def default_keeps_quiet(rank, model, loader):
    if rank == 0:
        return validate_with_keyword(rank, model, loader)
    return None
