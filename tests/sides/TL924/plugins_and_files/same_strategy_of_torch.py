import torch
from accelerate import Accelerator, FullyShardedDataParallelPlugin


def main(settings):
    plugin = FullyShardedDataParallelPlugin(sharding_strategy=torch.distributed.fsdp.ShardingStrategy.FULL_SHARD)
    return Accelerator(fsdp_plugin=plugin)
