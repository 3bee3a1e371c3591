# An item of a dict of the file is set by a function.
import torch.distributed as dist
CFG = {"main": None, "sync": True}
def setup():
    CFG["main"] = dist.get_rank() == 0
setup()
def go():
    if CFG["main"]:
        dist.barrier()
go()
