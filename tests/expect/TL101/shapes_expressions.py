"""Guards that are expressions: conditional expression, `and`, `or`, assert, the test of another `if`, an argument."""

import torch.distributed as dist


def conditional_expression(rank, items, bucket):
    bucket = dist.all_gather_object(bucket, items) if rank == 0 else bucket  # expect: TL101
    return bucket


def conjunction(rank):
    rank == 0 and dist.barrier()  # expect: TL101


def disjunction(rank):
    rank or dist.barrier()  # expect: TL101


def truth_of_the_rank(rank):
    rank and dist.barrier()  # expect: TL101


def in_an_argument(rank, norm, reduce_norm):
    print("norm", dist.all_reduce(norm) if rank == 0 else norm)  # expect: TL101


def in_another_test(rank, flag):
    if rank == 0 and dist.all_reduce(flag) is None:  # expect: TL101
        print(flag)


def in_a_comprehension(rank, tensors):
    return [dist.all_reduce(tensor) for tensor in tensors if rank == 0]  # expect: TL101


def in_a_return(rank, tensor):
    return dist.all_reduce(tensor) if not rank else None  # expect: TL101
