"""Guard on one axis of the mesh, collective on another: all members of the tensor-parallel group have data-parallel rank 0.

volcengine/verl @ 90f5ce15de18 : verl/models/mcore/saver.py:347
"""

import torch.distributed as dist
from megatron.core import mpu


def collect_layer(weight, source):
    dp_rank = mpu.get_data_parallel_rank()
    if dp_rank == 0:
        share(weight, source)
    return weight


def share(weight, source):
    dist.broadcast(weight, src=source, group=mpu.get_tensor_model_parallel_group())
    dist.broadcast(weight, src=source, group=mpu.get_pipeline_model_parallel_group())


def gather_on_the_first_replica(mesh, shards, shard):
    if mesh["dp"].get_local_rank() == 0:
        dist.all_gather(shards, shard, group=mesh["tp"].get_group())


def norm_of_the_first_replica(device_mesh, norm):
    dp_mesh, tp_mesh = device_mesh["data"], device_mesh["tensor"]
    if dp_mesh.get_local_rank() == 0:
        dist.all_reduce(norm, group=tp_mesh.get_group())
    return norm
