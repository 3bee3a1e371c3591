# Only the quiet hook is registered on rank 0 alone.
from collections import defaultdict
import torch.distributed as dist
class Hooks:
    def __init__(self):
        self.hooks = defaultdict(list)
    def register(self, name, fn):
        self.hooks[name].append(fn)
    def fire(self, name):
        for fn in self.hooks[name]:
            fn()
def log():
    print(1)
def main():
    hooks = Hooks()
    hooks.register("end", dist.barrier)
    if dist.get_rank() == 0:
        hooks.register("end", log)
    hooks.fire("end")
main()
