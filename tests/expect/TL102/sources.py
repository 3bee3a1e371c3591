"""Early exits by the ranks that other libraries and launchers give."""

import os

import horovod.torch as hvd
import jax
import torch.distributed as dist
import torch_xla.runtime as xr
from accelerate import PartialState
from composer.utils import dist as composer_dist
from detectron2.utils import comm
from jax.experimental import multihost_utils
from lightning.pytorch import Callback
from lightning.pytorch.utilities import rank_zero_only
from mmengine.dist import get_dist_info
from mpi4py import MPI
from transformers import Trainer


def by_slurm(tensor):
    if int(os.environ.get("SLURM_PROCID", 0)) > 0:
        return
    dist.all_reduce(tensor)  # expect: TL102


def by_open_mpi(tensor):
    if os.environ["OMPI_COMM_WORLD_LOCAL_RANK"] != "0":
        return
    dist.all_reduce(tensor)  # expect: TL102


def by_jax():
    if jax.process_index() != 0:
        return
    multihost_utils.sync_global_devices("end")  # expect: TL102


def by_horovod(tensor):
    if hvd.local_rank():
        return
    hvd.allreduce(tensor)  # expect: TL102


def by_mpi(data):
    world = MPI.COMM_WORLD
    if world.rank > 0:
        return None
    return world.bcast(data)  # expect: TL102


def by_xla(tensor):
    if xr.global_ordinal():
        return
    dist.all_reduce(tensor)  # expect: TL102


def by_state():
    if not PartialState().is_last_process:
        return
    dist.barrier()  # expect: TL102


def by_composer():
    if composer_dist.get_global_rank() != 0:
        return
    composer_dist.barrier()  # expect: TL102


def by_detectron(rows):
    if not comm.is_main_process():
        return None
    return comm.gather(rows)  # expect: TL102


def by_mmengine(tensor):
    rank, world_size = get_dist_info()
    if world_size == 1:
        return
    if rank:
        return
    dist.all_reduce(tensor)  # expect: TL102


def by_lightning_attribute():
    if rank_zero_only.rank != 0:
        return
    dist.barrier()  # expect: TL102


class Saving(Callback):
    def on_train_end(self, trainer, pl_module):
        if not trainer.is_global_zero:
            return
        trainer.strategy.barrier()  # expect: TL102

    def on_fit_end(self, trainer, pl_module):
        trainer.strategy.barrier()
        if not trainer.is_global_zero:
            return
        print("done")


class Distilling(Trainer):
    def finish(self):
        if not self.is_world_process_zero():
            return
        dist.barrier()  # expect: TL102


def by_set(tensor, rank):
    if rank not in {-1, 0}:
        return
    dist.all_reduce(tensor)  # expect: TL102


def by_match(tensor, rank):
    match rank:
        case 0:
            pass
        case _:
            return
    dist.all_reduce(tensor)  # expect: TL102


def by_walrus(tensor):
    if (me := dist.get_rank()) > 0:
        print(me)
        return
    dist.all_reduce(tensor)  # expect: TL102


def by_loop(tensors, rank):
    for tensor in tensors:
        if rank % 2:
            continue
        dist.all_reduce(tensor)  # expect: TL102


def gathers_first(rows):
    rows = comm.gather(rows)
    if not comm.is_main_process():
        return None
    return rows


def mpi_gathers_first(data):
    world = MPI.COMM_WORLD
    everything = world.gather(data)
    if world.rank != 0:
        return None
    return everything


def alone(tensor):
    if int(os.environ.get("SLURM_NTASKS", 1)) == 1:
        return
    dist.all_reduce(tensor)
