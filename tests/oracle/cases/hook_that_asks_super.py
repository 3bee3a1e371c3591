# A derived class narrows what its base asks, by the rank.
import torch.distributed as dist
class Base:
    def __init__(self, rank):
        self.rank = rank
    def run(self):
        for step in range(3):
            if self.should_sync(step):
                self.sync()
    def should_sync(self, step):
        return step % 2 == 0
    def sync(self):
        dist.barrier()
class Quiet(Base):
    def should_sync(self, step):
        return super().should_sync(step) and self.rank == 0
Quiet(dist.get_rank()).run()
