"""Correct, or not known well enough."""

import horovod.torch as hvd
import torch.distributed as dist


def alike(rank, value, everything):
    if rank == 0:
        dist.gather_object(value, everything, dst=0)
        dist.barrier()
    else:
        dist.gather_object(value, dst=0)
        dist.barrier()


def waits_by_two_names(rank):
    if rank == 0:
        dist.monitored_barrier()
    else:
        dist.barrier()


def groups(rank, value, left, right):
    if rank == 0:
        dist.broadcast(value, src=0, group=left)
        dist.all_reduce(value, group=right)
    else:
        dist.all_reduce(value, group=right)
        dist.broadcast(value, src=0, group=left)


def ring(rank, value):
    if rank % 2 == 0:
        dist.send(value, rank + 1)
        dist.recv(value, rank + 1)
    else:
        dist.recv(value, rank - 1)
        dist.send(value, rank - 1)


def by_name(rank, value):
    if rank == 0:
        hvd.broadcast(value, 0, name="v")
        hvd.allreduce(value, name="w")
    else:
        hvd.allreduce(value, name="w")
        hvd.broadcast(value, 0, name="v")


def protocol(rank, queue, work):
    if rank == 0:
        if queue.wants_sum():
            dist.all_reduce(work)
        else:
            dist.broadcast(work, src=0)
    else:
        if queue.received() == "sum":
            dist.all_reduce(work)
        else:
            dist.broadcast(work, src=0)


def serve(rank, requests, work):
    if rank == 0:
        for request in requests:
            dist.broadcast(request, src=0)
            dist.all_reduce(work)
    else:
        while True:
            dist.broadcast(work, src=0)
            dist.all_reduce(work)


def two_libraries(rank, value, backend):
    if rank == 0:
        backend.share(value)
    else:
        backend.collect(value)


def the_mode_decides(rank, value, mode):
    if rank == 0:
        if mode:
            dist.all_reduce(value)
        dist.barrier()
    else:
        if mode:
            dist.all_reduce(value)
        dist.barrier()
