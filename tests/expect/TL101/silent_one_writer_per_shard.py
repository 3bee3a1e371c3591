"""The data-parallel master of every model-parallel group saves its own shard, to its own path.

facebookresearch/fairseq @ d37fdee3da99 : fairseq/checkpoint_utils.py:31
"""

import torch
import torch.distributed as dist
from megatron.core import mpu


def save(cfg, trainer, folder):
    part = mpu.get_tensor_model_parallel_rank()
    if trainer.is_data_parallel_master:
        torch.save(trainer.state_dict(), folder / f"checkpoint-part{part}.pt")
    dist.barrier()
