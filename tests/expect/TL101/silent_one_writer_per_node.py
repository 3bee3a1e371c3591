"""One writer for each disk: a node's first process when disks are not shared.

LambdaLabsML/distributed-training-guide @ c09175c3099a : 05-sharding-fsdp/train_llm.py:173
"""

import os

import torch.distributed as dist


def prepare(exp_dir, rank, local_rank):
    is_experiment = os.path.ismount(exp_dir)
    if (is_experiment and rank == 0) or (not is_experiment and local_rank == 0):
        exp_dir.mkdir(parents=True, exist_ok=True)
    dist.barrier()
