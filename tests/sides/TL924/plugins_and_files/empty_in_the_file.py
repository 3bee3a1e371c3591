import torch
from accelerate import Accelerator, FullyShardedDataParallelPlugin


def main(settings):
    plugin = FullyShardedDataParallelPlugin(forward_prefetch=True)
    return Accelerator(fsdp_plugin=plugin)
