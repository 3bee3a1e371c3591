# A function is left by the rank's own loss before its collective, in a loop (`data_exit`).
import torch
import torch.distributed as dist


def step(model):
    loss = model(torch.ones(4))
    if torch.isnan(loss):
        return
    dist.barrier()


def main():
    model = torch.nn.Linear(4, 1)
    rounds = 0
    while True:
        rounds += 1
        if rounds > 3:
            break
        step(model)


main()
