# An object compares the loss of each rank with the best it has seen.
import torch
import torch.distributed as dist
class Stopper:
    def __init__(self, patience=2):
        self.patience = patience
        self.best = None
        self.bad = 0
    def step(self, value):
        if self.best is None or value < self.best:
            self.best = value
            self.bad = 0
        else:
            self.bad += 1
        return self.bad >= self.patience
def main():
    stopper = Stopper(1)
    model = torch.nn.Linear(4, 1)
    for epoch in range(4):
        loss = model(torch.ones(4))
        stop = stopper.step(float(loss))
        if stop:
            break
        dist.barrier()
main()
