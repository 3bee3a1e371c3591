# A collective among the functions in a list, run by rank 0.
import torch.distributed as dist

jobs = [print, dist.barrier]
def run(jobs):
    for job in jobs:
        job()
if dist.get_rank() == 0:
    run(jobs)
