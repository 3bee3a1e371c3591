"""A file that nobody reads is there to tell the job something while it runs: ranks look for it at different moments."""

import os
from pathlib import Path

import torch
import torch.distributed as dist


def asked_to_stop(steps, run_step):
    for step in range(steps):
        run_step(step)
        if os.path.exists("STOP"):
            break
        dist.barrier()  # expect: TL103


def in_a_tensor(args, steps):
    for _ in range(steps):
        done = torch.tensor([float(os.path.exists(args.done_file))])
        if done.item() > 0:
            break
        dist.barrier()  # expect: TL103


def as_a_path():
    if Path("please_profile").exists():
        dist.barrier()  # expect: TL103
