"""What makes a value equal on all ranks: broadcasts, reductions, gathers, object collectives, in every library's spelling."""

import horovod.torch as hvd
import torch
import torch.distributed as dist
import torch_xla.core.xla_model as xm
from accelerate import Accelerator
from accelerate.utils import broadcast_object_list, gather_object
from mpi4py import MPI


def agreed(flag):
    dist.all_reduce(flag, op=dist.ReduceOp.MAX)
    return flag.item() > 0


def told(value):
    holder = [value]
    dist.broadcast_object_list(holder, src=0)
    return holder[0]


def by_broadcast(loader, rank, found):
    stop = torch.tensor(int(rank == 0 and found))
    for batch in loader:
        dist.broadcast(stop, 0)
        if stop.item():
            break
        dist.all_reduce(batch)


def by_bool(rank, found):
    stop = torch.tensor([rank == 0 and found])
    dist.broadcast(stop, 0)
    if bool(stop):
        return
    dist.barrier()


def by_list(rank, found):
    stop = torch.tensor([int(rank == 0), int(found)])
    dist.all_reduce(stop)
    first, second = stop.tolist()
    if first == 0 and second:
        return
    dist.barrier()


def by_wrapper(rank, found):
    flag = torch.tensor(float(rank == 0 and found))
    if agreed(flag):
        return
    dist.barrier()


def by_telling(rank, find):
    path = told(find() if rank == 0 else None)
    if path is None:
        return
    dist.barrier()


def by_rank_told(rank):
    leads = told(rank == 0)
    if leads:
        dist.barrier()


def by_objects(rank, find):
    found = [None]
    if rank == 0:
        found = [find()]
    dist.broadcast_object_list(found)
    if found[0] is None:
        return
    dist.barrier()


def by_gathering(rank):
    everybody = [None] * dist.get_world_size()
    dist.all_gather_object(everybody, rank == 0)
    if not all(everybody):
        return
    dist.barrier()


def by_tensor_gathering(rank, tensor):
    parts = [torch.zeros_like(tensor) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, tensor * rank)
    if parts[0].item() > 0:
        return
    dist.barrier()


def by_accelerate(accelerator: Accelerator, found):
    stop = torch.tensor(float(accelerator.is_main_process and found))
    if accelerator.reduce(stop, reduction="sum").item() >= 1:
        return
    accelerator.wait_for_everyone()


def by_gather_of_accelerate(accelerator: Accelerator, found):
    stops = accelerator.gather(torch.tensor([accelerator.process_index == 0 and found]))
    if stops.any():
        return
    accelerator.wait_for_everyone()


def by_objects_of_accelerate(accelerator: Accelerator, find):
    names = gather_object([accelerator.process_index])
    if 0 in names:
        accelerator.wait_for_everyone()
    path = broadcast_object_list([find() if accelerator.is_main_process else None])[0]
    if path:
        accelerator.wait_for_everyone()


def by_horovod(found):
    stop = hvd.allreduce(torch.tensor(float(hvd.rank() == 0 and found)), name="stop")
    if stop.item() > 0:
        return
    hvd.barrier()


def by_horovod_object(find):
    path = hvd.broadcast_object(find() if hvd.rank() == 0 else None, root_rank=0)
    if path is None:
        return
    hvd.barrier()


def by_xla(found):
    stop = xm.mesh_reduce("stop", int(xm.is_master_ordinal() and found), max)
    if stop:
        return
    xm.rendezvous("end")


def by_mpi(find):
    world = MPI.COMM_WORLD
    path = world.bcast(find() if world.rank == 0 else None, root=0)
    if path is None:
        return
    world.Barrier()


def by_mpi_sum(found):
    world = MPI.COMM_WORLD
    if world.allreduce(int(world.Get_rank() == 0 and found)) > 0:
        return
    world.Barrier()


def by_the_rank_itself(rank):
    number = torch.tensor(rank)
    dist.broadcast(number, 0)
    if number == 0:
        dist.barrier()


def by_attribute(trainer, rank, early):
    trainer.should_stop = rank == 0 and early
    trainer.should_stop = told(trainer.should_stop)
    if trainer.should_stop:
        return
    dist.barrier()
