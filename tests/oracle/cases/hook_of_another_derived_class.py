# One derived class communicates in the hook and is run by all ranks; the other is run by rank 0 and does not.
import torch.distributed as dist


class Base:
    def run(self):
        self.hook()

    def hook(self):
        return None


class Loud(Base):
    def hook(self):
        dist.barrier()


class Quiet(Base):
    def hook(self):
        print("quiet")


Loud().run()
if dist.get_rank() == 0:
    Quiet().run()
