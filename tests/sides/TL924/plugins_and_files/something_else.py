import torch
from accelerate import Accelerator, FullyShardedDataParallelPlugin


def main(settings):
    plugin = torch.nn.Linear(8, 8)
    return Accelerator(fsdp_plugin=plugin)
