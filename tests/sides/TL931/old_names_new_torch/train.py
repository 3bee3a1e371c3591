import os

import torch.distributed as dist

os.environ["NCCL_BLOCKING_WAIT"] = "1"  # expect: TL931
os.environ["NCCL_DEBUG"] = os.environ.get("LEVEL", "WARN")
dist.init_process_group("nccl")
