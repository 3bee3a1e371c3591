import torch
from accelerate import Accelerator, FullyShardedDataParallelPlugin


def main(settings):
    plugin = FullyShardedDataParallelPlugin(sharding_strategy="SHARD_GRAD_OP")
    return Accelerator(fsdp_plugin=plugin)  # expect: TL924
