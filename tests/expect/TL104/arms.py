"""Both sides of a rank test communicate, but not alike."""

import torch.distributed as dist
from mpi4py import MPI

comm = MPI.COMM_WORLD


def another_order(rank, weights, loss):
    if rank == 0:
        dist.broadcast(weights, src=0)  # expect: TL104
        dist.all_reduce(loss)
    else:
        dist.all_reduce(loss)
        dist.broadcast(weights, src=0)


def another_operation(rank, tensor):
    if rank == 0:
        dist.reduce(tensor, dst=0)  # expect: TL104
    else:
        dist.all_reduce(tensor)
    dist.barrier()


def objects_and_tensors(rank, config):
    if dist.get_rank() == 0:
        dist.broadcast_object_list([config], src=0)  # expect: TL104
        return config
    dist.broadcast(config, src=0)
    return config


def after_work(rank, build, stats, sizes):
    dist.barrier()
    if rank != 0:
        dist.all_gather_object(sizes, stats)  # expect: TL104
        dist.barrier()
    else:
        build()
        dist.barrier()
        dist.all_gather_object(sizes, stats)


def of_mpi(data):
    if comm.Get_rank() == 0:
        data = comm.bcast(data, root=0)  # expect: TL104
        comm.Barrier()
    else:
        comm.Barrier()
        data = comm.bcast(None, root=0)
    return data


class Exchange:
    """The same helper first, then apart."""

    def __init__(self):
        self.main = dist.get_rank() == 0

    def wait(self):
        dist.barrier()

    def share(self, value):
        if self.main:
            self.wait()
            dist.scatter_object_list([None], [value])  # expect: TL104
        else:
            self.wait()
            dist.broadcast_object_list([value], src=0)


def one_more(rank, value):
    if rank == 0:
        dist.broadcast(value, src=0)  # expect: TL101
        dist.barrier()
    else:
        dist.barrier()
