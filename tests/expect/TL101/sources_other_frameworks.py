"""torch_xla, JAX, Horovod, mpi4py, DeepSpeed, composer, mmengine, detectron2, fairseq, the HF trainer."""

import deepspeed
import horovod.tensorflow as hvd_tf
import horovod.torch as hvd
import jax
import torch.distributed as dist
import torch_xla.core.xla_model as xm
import torch_xla.runtime as xr
from composer.utils import dist as composer_dist
from detectron2.utils import comm
from fairseq import distributed_utils
from fairseq.distributed import utils as fairseq_dist
from jax.experimental import multihost_utils
from mmcv.runner import get_dist_info, master_only
from mmengine.dist import get_dist_info as mmengine_info
from mmengine.dist import is_main_process as mmengine_main
from mpi4py import MPI
from transformers import Trainer


def xla_ordinal(tensor):
    if xm.get_ordinal() == 0:
        xm.rendezvous("done")  # expect: TL101


def xla_master_of_the_node(tensor):
    if xm.is_master_ordinal(local=True):
        xm.rendezvous("done")  # expect: TL101


def xla_runtime(tensor):
    if xr.global_ordinal() == 0:
        xm.rendezvous("done")  # expect: TL101


def xla_local(tensor):
    if xr.local_ordinal() == 0:
        xm.all_reduce(xm.REDUCE_SUM, [tensor])  # expect: TL101


def jax_hosts(tensor):
    if jax.process_index() == 0:
        multihost_utils.sync_global_devices("saved")  # expect: TL101


def horovod(tensor):
    if hvd.rank() == 0:
        hvd.allreduce(tensor)  # expect: TL101


def horovod_local(tensor):
    if hvd.local_rank() == 0:
        hvd.broadcast(tensor, 0)  # expect: TL101


def horovod_tensorflow(tensor):
    if hvd_tf.rank() == 0:
        hvd_tf.allreduce(tensor)  # expect: TL101


def mpi():
    if MPI.COMM_WORLD.Get_rank() == 0:
        MPI.COMM_WORLD.Barrier()  # expect: TL101


def mpi_variable(data):
    world = MPI.COMM_WORLD
    me = world.Get_rank()
    if me == 0:
        data = world.bcast(data, root=0)  # expect: TL101
    return data


def mpi_attribute():
    world = MPI.COMM_WORLD
    if world.rank == 0:
        world.barrier()  # expect: TL101


def deepspeed_comm(tensor):
    if deepspeed.comm.get_rank() == 0:
        deepspeed.comm.all_reduce(tensor)  # expect: TL101


def composer(tensor):
    if composer_dist.get_global_rank() == 0:
        composer_dist.barrier()  # expect: TL101


def composer_local(tensor):
    if composer_dist.get_local_rank() == 0:
        composer_dist.all_reduce(tensor)  # expect: TL101


def mmcv_pair(tensor):
    rank, world_size = get_dist_info()
    if rank == 0:
        dist.all_reduce(tensor)  # expect: TL101


def mmengine_first(tensor):
    me, _ = mmengine_info()
    if me == 0:
        dist.all_reduce(tensor)  # expect: TL101


def mmengine_predicate(tensor):
    if mmengine_main():
        dist.all_reduce(tensor)  # expect: TL101


@master_only
def mmcv_decorator(tensor):
    dist.all_reduce(tensor)  # expect: TL101


def detectron(tensor):
    if comm.is_main_process():
        comm.synchronize()  # expect: TL101


def detectron_gather(rows):
    if comm.get_rank() == 0:
        rows = comm.gather(rows)  # expect: TL101
    return rows


def fairseq_old(args, tensor):
    if distributed_utils.is_master(args):
        distributed_utils.all_gather_list(tensor)  # expect: TL101


def fairseq_new(tensor):
    if fairseq_dist.get_global_rank() == 0:
        dist.barrier()  # expect: TL101


class Distilling(Trainer):
    def finish(self):
        if self.is_world_process_zero():
            dist.barrier()  # expect: TL101

    def finish_here(self):
        if self.is_local_process_zero():
            dist.barrier()  # expect: TL101

    def finish_saving(self):
        if self.args.should_save:
            dist.barrier()  # expect: TL101

    def finish_together(self):
        if self.args.world_size > 1:
            dist.barrier()


def xla_together(tensor):
    if xr.world_size() > 1:
        xm.rendezvous("done")


def jax_together(tensor):
    if jax.process_count() > 1:
        multihost_utils.sync_global_devices("saved")


def mpi_gathers_at_root(data):
    world = MPI.COMM_WORLD
    data = world.gather(data, root=0)
    if world.rank == 0:
        print(data)


def mmcv_several(tensor):
    rank, world_size = get_dist_info()
    if world_size > 1:
        dist.all_reduce(tensor)
    if rank == 0:
        print(tensor)


def detectron_several(rows):
    if comm.get_world_size() > 1:
        rows = comm.gather(rows)
    if not comm.is_main_process():
        return []
    return rows
