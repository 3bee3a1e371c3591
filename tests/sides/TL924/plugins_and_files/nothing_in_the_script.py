import torch
from accelerate import Accelerator, FullyShardedDataParallelPlugin


def main(settings):
    plugin = FullyShardedDataParallelPlugin(backward_prefetch=None)
    return Accelerator(fsdp_plugin=plugin)
