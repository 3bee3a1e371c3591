# Rank 0 registers another hook than the others; both communicate.
import torch.distributed as dist
class Hooks:
    def __init__(self):
        self.items = []
    def add(self, fn):
        self.items.append(fn)
    def run(self):
        for fn in self.items:
            fn()
hooks = Hooks()
def chief():
    print("x")
    dist.barrier()
def worker():
    dist.barrier()
if dist.get_rank() == 0:
    hooks.add(chief)
else:
    hooks.add(worker)
hooks.run()
