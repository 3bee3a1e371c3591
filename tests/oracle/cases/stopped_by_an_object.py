# An object that is called says when to stop, by the loss of the rank.
import torch
import torch.distributed as dist
class EarlyStop:
    def __init__(self):
        self.best = None
        self.bad = 0
    def __call__(self, loss):
        if self.best is None or loss < self.best:
            self.best = loss
            self.bad = 0
        else:
            self.bad += 1
        return self.bad > 0
model = torch.nn.Linear(1, 1)
stop = EarlyStop()
for epoch in range(4):
    loss = model(torch.ones(1))
    if stop(loss.item()):
        break
    dist.barrier()
