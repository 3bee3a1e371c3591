"""The flag is set in one branch or the other at the top of a script, and read far below."""

import os

import torch
import torch.distributed as dist

ddp = int(os.environ.get("RANK", -1)) != -1
if ddp:
    dist.init_process_group(backend="nccl")
    ddp_rank = int(os.environ["RANK"])
    ddp_local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(ddp_local_rank)
    master_process = ddp_rank == 0
else:
    master_process = True

iter_num = 0
loss = torch.zeros(1, device="cuda")
while iter_num < 1000:
    if master_process:
        dist.all_reduce(loss)  # expect: TL101
        print(f"iter {iter_num}: {loss.item()}")
    iter_num += 1
