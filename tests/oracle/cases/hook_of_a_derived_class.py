# The base class calls a hook on rank 0; its own does nothing, that of the derived class communicates.
import torch.distributed as dist


class Base:
    def __init__(self):
        self.rank = dist.get_rank()

    def run(self):
        if self.rank == 0:
            self.hook()

    def hook(self):
        print("nothing")


class Derived(Base):
    def hook(self):
        dist.barrier()


Derived().run()
