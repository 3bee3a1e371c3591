"""As in torchtitan: one function shards the layers and the whole, in the order it wants."""

from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard


def apply_fsdp(model, mesh, dtype, reshard=True):
    config = {"mesh": mesh, "mp_policy": MixedPrecisionPolicy(param_dtype=dtype)}
    for number, block in enumerate(model.layers):
        fully_shard(block, **config, reshard_after_forward=reshard and number < len(model.layers) - 1)
    fully_shard(model, **config, reshard_after_forward=reshard)


def parallelize(model, world, dtype):
    mesh = init_device_mesh("cuda", (world,))
    apply_fsdp(model, mesh, dtype)
    return model
