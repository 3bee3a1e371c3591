# One callback lets the others wait, the next lets rank 0 arrive.
from torch import distributed as dist
class First:
    def on_step(self, step):
        if dist.get_rank() != 0:
            dist.barrier()
class Logger:
    def on_step(self, step):
        if dist.get_rank() == 0:
            dist.barrier()
def run():
    callbacks = [First(), Logger()]
    for callback in callbacks:
        callback.on_step(1)
run()
