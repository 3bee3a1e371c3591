"""Whatever file and function are called: a whole training is recorded."""

import torch


def profiled_training(model, items, optimizer):
    with torch.profiler.profile() as recording:  # expect: TL806
        for item in items:
            optimizer.zero_grad()
            model(item).sum().backward()
            optimizer.step()
    print(recording.key_averages())


def timing_of_one_pass(model, parts, optimizer):
    with torch.autograd.profiler.profile():  # expect: TL806
        for part in parts:
            optimizer.zero_grad()
            model(part).sum().backward()
            optimizer.step()
