"""A generator that times each item hands on what `enumerate` counts: the number of a round is no data."""

import torch.distributed as dist


class Profiler:
    def __init__(self, clock):
        self.clock = clock

    def profiled(self, iterable, action):
        iterator = iter(iterable)
        while True:
            try:
                self.clock.start(action)
                value = next(iterator)
                self.clock.stop(action)
                yield value
            except StopIteration:
                self.clock.stop(action)
                break


def train(model, loader, optimizer, profiler: Profiler, limit, accumulate):
    for number, batch in profiler.profiled(enumerate(loader), "batch"):
        if number >= limit:
            break
        loss = model(batch)
        loss.backward()
        if (number + 1) % accumulate == 0:
            dist.all_reduce(loss)
            optimizer.step()
            optimizer.zero_grad()
