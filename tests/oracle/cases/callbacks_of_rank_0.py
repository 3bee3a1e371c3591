# Rank 0 has one callback more.
import torch.distributed as dist
class Saver:
    def on_end(self):
        dist.barrier()
class Quiet:
    def on_end(self):
        pass
def build():
    callbacks = [Quiet()]
    if dist.get_rank() == 0:
        callbacks.append(Saver())
    return callbacks
def run():
    for cb in build():
        cb.on_end()
run()
