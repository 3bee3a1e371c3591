import torch
from accelerate import Accelerator, FullyShardedDataParallelPlugin


def main(settings):
    plugin = settings.plugin
    return Accelerator(fsdp_plugin=plugin)
