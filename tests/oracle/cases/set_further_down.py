# What is asked first and set by rank further down.
import torch.distributed as dist
class State:
    def __init__(self):
        self.main = False
s = State()
if s.main:
    dist.barrier()
s.main = dist.get_rank() == 0
if s.main:
    print("x")
