import os

import configargparse
import torch
import torch.distributed as dist

parser = configargparse.ArgParser(default_config_files=["train.ini"])
parser.add_argument("--lr", type=float, default=0.1)
args = parser.parse_args()
torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
dist.init_process_group("nccl")
