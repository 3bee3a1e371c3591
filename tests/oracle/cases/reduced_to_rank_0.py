# A reduction leaves the other ranks with what they had.
import torch
import torch.distributed as dist

def main():
    model = torch.nn.Linear(1, 1)
    loss = model(torch.ones(1))
    dist.reduce(loss, dst=0)
    if loss.item() > 1:
        dist.barrier()

main()
