# A loop empties what is as long on all ranks.
from collections import deque
import torch.distributed as dist
def drain():
    todo = deque(range(3))
    while todo:
        item = todo.popleft()
        dist.barrier()
drain()
