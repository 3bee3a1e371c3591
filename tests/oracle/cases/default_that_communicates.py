# The default of a parameter is a function that communicates.
import torch.distributed as dist

def run(fn=lambda: dist.barrier()):
    fn()

if dist.get_rank() == 0:
    run()
