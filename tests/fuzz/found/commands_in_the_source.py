import torch.distributed as dist

if dist.get_rank() == 0:
    dist.all_reduce(x["##vso[task.x]y"])  # ##[add-path]/ ‮
