"""Every collective of torch.distributed, one function each."""

import torch.distributed as dist


def all_reduce(rank, x):
    if rank == 0:
        dist.all_reduce(x, op=dist.ReduceOp.SUM)  # expect: TL101


def all_reduce_async(rank, x):
    if rank == 0:
        handle = dist.all_reduce(x, async_op=True)  # expect: TL101
        handle.wait()


def broadcast(rank, x):
    if rank == 0:
        dist.broadcast(x, src=0)  # expect: TL101


def broadcast_object_list(rank, items):
    if rank == 0:
        dist.broadcast_object_list(items, src=0)  # expect: TL101


def all_gather(rank, outs, x):
    if rank == 0:
        dist.all_gather(outs, x)  # expect: TL101


def all_gather_into_tensor(rank, out, x):
    if rank == 0:
        dist.all_gather_into_tensor(out, x)  # expect: TL101


def all_gather_object(rank, outs, item):
    if rank == 0:
        dist.all_gather_object(outs, item)  # expect: TL101


def gather(rank, x, outs):
    if rank == 0:
        dist.gather(x, outs, dst=0)  # expect: TL101


def gather_object(rank, item, outs):
    if rank == 0:
        dist.gather_object(item, outs, dst=0)  # expect: TL101


def reduce(rank, x):
    if rank == 0:
        dist.reduce(x, dst=0)  # expect: TL101


def scatter(rank, x, parts):
    if rank == 0:
        dist.scatter(x, parts, src=0)  # expect: TL101


def scatter_object_list(rank, out, parts):
    if rank == 0:
        dist.scatter_object_list(out, parts, src=0)  # expect: TL101


def reduce_scatter(rank, x, parts):
    if rank == 0:
        dist.reduce_scatter(x, parts)  # expect: TL101


def reduce_scatter_tensor(rank, out, x):
    if rank == 0:
        dist.reduce_scatter_tensor(out, x)  # expect: TL101


def all_to_all(rank, outs, parts):
    if rank == 0:
        dist.all_to_all(outs, parts)  # expect: TL101


def all_to_all_single(rank, out, x):
    if rank == 0:
        dist.all_to_all_single(out, x)  # expect: TL101


def barrier(rank):
    if rank == 0:
        dist.barrier(device_ids=[rank])  # expect: TL101


def monitored_barrier(rank):
    if rank == 0:
        dist.monitored_barrier()  # expect: TL101
