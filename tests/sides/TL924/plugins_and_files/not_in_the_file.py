import torch
from accelerate import Accelerator, FullyShardedDataParallelPlugin


def main(settings):
    plugin = FullyShardedDataParallelPlugin(activation_checkpointing=True)
    return Accelerator(fsdp_plugin=plugin)
