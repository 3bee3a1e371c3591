# The ranks of a set and those that are not in it are all.
import torch.distributed as dist
writers = {0, 2}
readers = set(range(dist.get_world_size())) - writers
if dist.get_rank() in writers | readers:
    dist.barrier()
