# Rank 0 registers the same hooks in another order.
import torch
import torch.distributed as dist
class Hooks:
    def __init__(self):
        self.items = []
    def add(self, fn):
        self.items.append(fn)
        return self
    def run(self):
        for fn in self.items:
            fn()
def a():
    dist.barrier()
def b():
    dist.all_reduce(torch.ones(1))
hooks = Hooks()
if dist.get_rank() == 0:
    hooks.add(a)
    hooks.add(b)
else:
    hooks.add(b)
    hooks.add(a)
hooks.run()
