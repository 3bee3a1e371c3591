"""Ranks outside of a group leave before the group communicates.

NVIDIA/apex @ 3ccdfaa39cd7 : apex/contrib/optimizers/distributed_fused_adam.py:268-271
"""

import torch.distributed as dist
from megatron.core import mpu


def reduce_in_group(tensor, ranks):
    group = dist.new_group(ranks)
    if dist.get_rank() not in ranks:
        return
    dist.all_reduce(tensor, group=group)


def embedding_gradients(grad):
    if not mpu.is_rank_in_embedding_group():
        return
    dist.all_reduce(grad, group=mpu.get_embedding_group())


def outside_of_the_group(tensor, group):
    if group is None or dist.get_rank(group) < 0:
        return
    dist.all_reduce(tensor, group=group)


def first_replica(mesh, tensor):
    if mesh["dp"].get_local_rank() != 0:
        return
    dist.all_reduce(tensor, group=mesh["tp"].get_group())


def first_replica_by_megatron(weight, source):
    if mpu.get_data_parallel_rank() != 0:
        return
    dist.broadcast(weight, source, group=mpu.get_tensor_model_parallel_group())
