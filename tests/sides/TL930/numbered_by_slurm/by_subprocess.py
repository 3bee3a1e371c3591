import os
import subprocess

import torch
import torch.distributed as dist

rank = int(os.environ["SLURM_PROCID"])
if "CHILD" not in os.environ:
    subprocess.check_call(["bash", "workers.sh", str(rank)])
else:
    dist.init_process_group("nccl", rank=rank, world_size=2)
    torch.cuda.set_device(0)
