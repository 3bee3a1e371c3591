# ---- state.py
# A function sets a name of another file.
IS_MAIN = True
# ---- boot.py
import torch.distributed as dist
import state
def boot():
    state.IS_MAIN = dist.get_rank() == 0
# ---- main.py
import torch.distributed as dist
import state
from boot import boot
boot()
if state.IS_MAIN:
    dist.barrier()
