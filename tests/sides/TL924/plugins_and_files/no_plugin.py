import torch
from accelerate import Accelerator, FullyShardedDataParallelPlugin


def main(settings):
    plugin = None
    return Accelerator(fsdp_plugin=plugin)
