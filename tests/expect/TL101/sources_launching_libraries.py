"""Ignite, Ray Train, SageMaker, apex, fairscale, torchtune: their own ways to ask."""

import ignite.distributed as idist
import ray.train
import smdistributed.dataparallel.torch.distributed as herring
import torch.distributed as dist
from apex.transformer import parallel_state
from fairscale.nn.model_parallel.initialize import get_model_parallel_rank
from ray import train
from torcheval.metrics.toolkit import sync_and_compute
from torchtune import training, utils


def by_ignite(tensor):
    if idist.get_rank() == 0:
        idist.all_reduce(tensor)  # expect: TL101


def by_ignite_here():
    if idist.get_local_rank() == 0:
        idist.barrier()  # expect: TL101


@idist.one_rank_only()
def decorated_by_ignite():
    idist.barrier()  # expect: TL101


@idist.one_rank_only(rank=1)
def decorated_by_ignite_for_another():
    idist.barrier()  # expect: TL101


def started_by_ignite(number, config):
    if number == 0:
        idist.barrier()  # expect: TL101


def start():
    with idist.Parallel(backend="nccl", nproc_per_node=4) as parallel:
        parallel.run(started_by_ignite, {})


def in_turn(build):
    with idist.one_rank_first():
        build()


def by_ray():
    if train.get_context().get_world_rank() == 0:
        dist.barrier()  # expect: TL101


def by_ray_context():
    context = ray.train.get_context()
    if context.get_local_rank() == 0:
        dist.barrier()  # expect: TL101
    if context.get_world_size() > 1:
        dist.barrier()


def by_sagemaker(tensor):
    if herring.get_rank() == 0:
        herring.all_reduce(tensor)  # expect: TL101


def by_apex(loss):
    if parallel_state.is_pipeline_last_stage():
        dist.all_reduce(loss)  # expect: TL101


def by_fairscale(loss):
    if get_model_parallel_rank() == 0:
        dist.barrier()  # expect: TL101


def by_torchtune():
    world_size, rank = utils.get_world_size_and_rank()
    if rank == 0:
        dist.barrier()  # expect: TL101
    if world_size > 1:
        dist.barrier()


def by_torchtune_item():
    me = training.get_world_size_and_rank()[1]
    if me == 0:
        dist.barrier()  # expect: TL101


def by_torcheval(metric):
    if dist.get_rank() == 0:
        return sync_and_compute(metric)  # expect: TL101


def together(metric):
    value = sync_and_compute(metric)
    if dist.get_rank() == 0:
        print(value)
