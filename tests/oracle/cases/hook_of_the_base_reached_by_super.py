# The hook of the derived class is for all ranks, the base class calls its own on rank 0.
import torch.distributed as dist


class Base:
    def __init__(self, name):
        self.name = name

    def run(self):
        if dist.get_rank() == 0:
            self.hook()
        self.last()

    def hook(self):
        print("nothing")

    def last(self):
        raise NotImplementedError


class Derived(Base):
    def __init__(self):
        super().__init__("derived")

    def last(self):
        dist.barrier()

    def run(self):
        super().run()
        self.last()


Derived().run()
