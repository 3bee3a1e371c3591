"""Predicate and wrapper both come from a module next to the script."""

import torch

from dist_tools import all_reduce_mean, is_main, wait_all


def run(model, loader, optimizer, out):
    for inputs, labels in loader:
        loss = model(inputs, labels)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        if is_main():
            mean = all_reduce_mean(loss.detach())  # expect: TL101
            print(mean)
    if is_main():
        torch.save(model.state_dict(), out)
        wait_all()  # expect: TL101
