import torch
from accelerate import Accelerator, FullyShardedDataParallelPlugin


def main(settings):
    plugin = FullyShardedDataParallelPlugin(reshard_after_forward=False)
    return Accelerator(fsdp_plugin=plugin)  # expect: TL924
