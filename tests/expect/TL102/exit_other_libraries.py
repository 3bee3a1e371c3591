"""Horovod, torch_xla, DeepSpeed, Megatron, speechbrain, ColossalAI."""

import deepspeed.comm as ds
import horovod.torch as hvd
import torch.distributed as dist
import torch_xla.core.xla_model as xm
from colossalai.cluster import DistCoordinator
from megatron.core import mpu
from speechbrain.utils.distributed import if_main_process


def horovod(metric):
    if hvd.rank() != 0:
        return metric
    return hvd.allreduce(metric)  # expect: TL102


def xla_master(name):
    if not xm.is_master_ordinal():
        return
    xm.rendezvous(name)  # expect: TL102


def xla_ordinal(name):
    if xm.get_ordinal() != 0:
        return
    xm.rendezvous(name)  # expect: TL102


def deepspeed(metric):
    if ds.get_rank() > 0:
        return
    ds.all_reduce(metric)  # expect: TL102


def megatron(loss):
    if not mpu.is_pipeline_last_stage():
        return
    dist.all_reduce(loss)  # expect: TL102


def megatron_data_parallel(loss):
    if mpu.get_data_parallel_rank() != 0:
        return
    dist.barrier()  # expect: TL102


def speech(loss):
    if not if_main_process():
        return
    dist.all_reduce(loss)  # expect: TL102


def colossal(loss):
    coordinator = DistCoordinator()
    if not coordinator.is_master():
        return
    dist.all_reduce(loss)  # expect: TL102
