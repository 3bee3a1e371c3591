# Only the second of two callbacks communicates on rank 0 alone.
from torch import distributed as dist
class Base:
    def __init__(self):
        self.rank = dist.get_rank()
class Checkpoint(Base):
    def on_step(self, step):
        dist.barrier()
class Logger(Base):
    def on_step(self, step):
        if self.rank != 0:
            return
        dist.barrier()
def run():
    callbacks = [Checkpoint(), Logger()]
    for step in range(2):
        for callback in callbacks:
            callback.on_step(step)
run()
