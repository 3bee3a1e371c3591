import torch
from accelerate import Accelerator, FullyShardedDataParallelPlugin


def main(settings):
    plugin = FullyShardedDataParallelPlugin(limit_all_gathers=True)
    return Accelerator(fsdp_plugin=plugin)
