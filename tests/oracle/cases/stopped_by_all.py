# The same; whether it stops is broadcast.
import torch
import torch.distributed as dist
class Stopper:
    def __init__(self, patience):
        self.patience = patience
        self.bad = 0
        self.stop = False
    def update(self, loss):
        if loss > 0.3:
            self.bad += 1
            if self.bad >= self.patience:
                self.stop = True
def main():
    stopper = Stopper(1)
    model = torch.nn.Linear(1, 1)
    for epoch in range(3):
        loss = model(torch.ones(1)).item()
        if dist.get_rank() == 0:
            stopper.update(loss)
        flag = torch.tensor(1.0 if stopper.stop else 0.0)
        dist.broadcast(flag, 0)
        if flag.item():
            break
        dist.barrier()
main()
