import os

import torch
import torch.distributed as dist

from options import parser

parser.add_argument("--lr", type=float, default=0.1)
args = parser.parse_args()
torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
dist.init_process_group("nccl")
