import torch
from accelerate import Accelerator, FullyShardedDataParallelPlugin


def main(settings):
    plugin = FullyShardedDataParallelPlugin(use_orig_params=True)
    return Accelerator(fsdp_plugin=plugin)
