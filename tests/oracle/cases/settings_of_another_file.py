# ---- cfg.py
# A function sets an attribute of an object that another file makes.
class Config:
    distributed = True
    main = False
CFG = Config()
# ---- boot.py
import torch.distributed as dist
from cfg import CFG
def boot():
    CFG.main = dist.get_rank() == 0
# ---- main.py
import torch.distributed as dist
from boot import boot
from cfg import CFG
boot()
if CFG.main:
    dist.barrier()
