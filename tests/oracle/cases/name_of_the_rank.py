# The name of a rank is put together and compared.
import torch.distributed as dist
name = f"worker{dist.get_rank()}"
if name == "worker0":
    dist.barrier()
