import torch
from accelerate import Accelerator, FullyShardedDataParallelPlugin


def main(settings):
    plugin = FullyShardedDataParallelPlugin(sharding_strategy="full_shard")
    return Accelerator(fsdp_plugin=plugin)
