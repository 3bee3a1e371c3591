"""Workers with data left say so before every step, finished ones once more after their loop: on purpose uneven.

allenai/allennlp @ 73bc922ad7a1 : allennlp/training/trainer.py:371, :482, :533, :573
"""

import torch
import torch.distributed as dist


def train_epoch(batches, step):
    done_early = False
    for batch in batches:
        done = torch.tensor(0)
        dist.all_reduce(done)
        if done.item() > 0:
            done_early = True
            break
        step(batch)
    if not done_early:
        done = torch.tensor(1)
        dist.all_reduce(done)
