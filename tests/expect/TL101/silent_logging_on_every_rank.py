"""A run for every rank, with its own name and folder, gathered in one group.

LambdaLabsML/distributed-training-guide @ c09175c3099a : 02-multi-gpu/train_llm.py:118
"""

import torch.distributed as dist
import wandb
from torch.utils.tensorboard import SummaryWriter


def start(exp_dir, args):
    rank = dist.get_rank()
    (exp_dir / f"rank-{rank}").mkdir(parents=True, exist_ok=True)
    dist.barrier()
    run = wandb.init(
        project="guide", dir=exp_dir / f"rank-{rank}", group=args.name, name=f"rank-{rank}", id=f"{args.name}-{rank}"
    )
    writer = SummaryWriter(f"runs/rank_{rank}")
    return run, writer
