import torch
from accelerate import Accelerator, FullyShardedDataParallelPlugin


def main(settings):
    plugin = FullyShardedDataParallelPlugin(sharding_strategy=settings.strategy)
    return Accelerator(fsdp_plugin=plugin)
