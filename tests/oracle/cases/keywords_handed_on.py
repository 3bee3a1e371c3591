# A keyword of the rank is handed on.
import torch.distributed as dist
def step(**options):
    if options.get("sync", True):
        dist.barrier()
def run(**options):
    step(**options)
run(sync=dist.get_rank() == 0)
