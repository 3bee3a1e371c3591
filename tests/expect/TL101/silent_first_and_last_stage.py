"""The first and the last pipeline stage share a group of just those two.

NVIDIA/Megatron-LM @ b6866aed34d2 : megatron/inference/text_generation/communication.py:94, :123
"""

import torch
import torch.distributed as dist
from megatron.core import mpu


def broadcast_from_last_to_first(size, tensor=None):
    is_last_stage = mpu.is_pipeline_last_stage()
    is_first_stage = mpu.is_pipeline_first_stage()
    if is_last_stage and is_first_stage:
        return tensor
    if is_last_stage or is_first_stage:
        if is_first_stage:
            tensor = torch.empty(size, device="cuda")
        source = mpu.get_pipeline_model_parallel_last_rank()
        dist.broadcast(tensor, source, mpu.get_embedding_group())
    else:
        tensor = None
    return tensor
