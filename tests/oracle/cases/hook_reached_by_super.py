# The derived class extends the method of the base class that calls the hook on rank 0.
import torch.distributed as dist


class Base:
    def run(self):
        if dist.get_rank() == 0:
            self.hook()

    def hook(self):
        print("nothing")


class Derived(Base):
    def hook(self):
        dist.barrier()

    def run(self):
        super().run()
        print("more")


Derived().run()
