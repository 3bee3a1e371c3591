"""A predicate of the group guards traffic in the group.

NVIDIA/Megatron-LM @ 0d3368255c59 : megatron/core/distributed/finalize_model_grads.py:128
"""

import torch.distributed as dist
from megatron.core import parallel_state


def reduce_embedding_gradients(weight):
    if parallel_state.is_rank_in_embedding_group(ignore_virtual=True):
        dist.all_reduce(weight.main_grad, group=parallel_state.get_embedding_group())


def reduce_position_gradients(weight):
    if parallel_state.is_rank_in_position_embedding_group():
        group = parallel_state.get_position_embedding_group()
        dist.all_reduce(weight.grad, group=group)
