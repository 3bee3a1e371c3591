import torch
from accelerate import Accelerator, FullyShardedDataParallelPlugin


def main(settings):
    plugin = FullyShardedDataParallelPlugin(sharding_strategy="SHARD_GRAD_OP" if settings else "NO_SHARD")
    return Accelerator(fsdp_plugin=plugin)
