"""What is taken of an old class by its name."""

import torch.distributed
import torch.distributed as dist


def mean(tensor, count):
    copy = tensor.clone()
    dist.all_reduce(copy, op=dist.reduce_op.SUM)  # expect: TL905
    return copy / count


def best(tensor):
    torch.distributed.all_reduce(tensor, op=torch.distributed.reduce_op.MAX)  # expect: TL905
    dist.all_reduce(tensor, op=dist.ReduceOp.MIN)
