import torch
from accelerate import Accelerator, FullyShardedDataParallelPlugin


def main(settings):
    plugin = FullyShardedDataParallelPlugin(sharding_strategy="NO_SHARD")
    return Accelerator(fsdp_plugin=plugin)
