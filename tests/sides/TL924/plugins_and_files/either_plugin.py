import torch
from accelerate import Accelerator, FullyShardedDataParallelPlugin


def main(settings):
    plugin = settings.make_plugin() if settings else FullyShardedDataParallelPlugin()
    return Accelerator(fsdp_plugin=plugin)
