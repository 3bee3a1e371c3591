# Numbered items, of which ranks take more the higher they are.
import torch.distributed as dist
rank = dist.get_rank()
for index, name in enumerate(["a", "b", "c"]):
    if index <= rank:
        dist.barrier()
