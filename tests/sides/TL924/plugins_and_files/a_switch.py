import torch
from accelerate import Accelerator, FullyShardedDataParallelPlugin


def main(settings):
    plugin = FullyShardedDataParallelPlugin(use_orig_params=False)
    return Accelerator(fsdp_plugin=plugin)  # expect: TL924
