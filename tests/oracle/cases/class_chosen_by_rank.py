# An object of one class or another, by the rank, made in a function.
import torch.distributed as dist

class Writer:
    def close(self):
        dist.barrier()

class Null:
    def close(self):
        pass

def make():
    if dist.get_rank() == 0:
        return Writer()
    return Null()

w = make()
w.close()
