"""The same functions under other names."""

import torch
import torch.distributed
import torch.distributed as d
from torch import distributed as thd
from torch.distributed import all_gather_object as gather_obj
from torch.distributed import barrier as sync
from torch.distributed import get_rank as whoami

reduce = d.all_reduce
comm = torch.distributed
LEADER = 0


def short_module(rank):
    if rank == 0:
        d.barrier()  # expect: TL101


def from_torch(rank):
    if rank == 0:
        thd.barrier()  # expect: TL101


def renamed_function():
    if whoami() == 0:
        sync()  # expect: TL101


def renamed_object_gather(parts, mine):
    if whoami() == LEADER:
        gather_obj(parts, mine)  # expect: TL101


def function_variable(rank, tensor):
    if rank == 0:
        reduce(tensor)  # expect: TL101


def module_variable(tensor):
    if comm.get_rank() == 0:
        comm.all_reduce(tensor)  # expect: TL101


def full_path(rank, tensor):
    if rank == 0:
        torch.distributed.all_reduce(tensor)  # expect: TL101


def imported_here(rank):
    import torch.distributed as tdist

    if rank == 0:
        tdist.barrier()  # expect: TL101


def local_alias(rank, tensor):
    op = d.broadcast
    if rank == 0:
        op(tensor, 0)  # expect: TL101


def from_the_implementation(rank):
    from torch.distributed.distributed_c10d import barrier

    if rank == 0:
        barrier()  # expect: TL101
