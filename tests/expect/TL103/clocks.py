"""Every rank looks at its own clock."""

import datetime
import time
from time import monotonic as now

import torch.distributed as dist


def everyone(save, path):
    if dist.get_rank() == 0:
        save(path)
    dist.barrier()


def budget(steps, run, seconds):
    start = time.perf_counter()
    for step in range(steps):
        run(step)
        if time.perf_counter() - start > seconds:
            print("time is up")
            break
        dist.barrier()  # expect: TL103


def hourly(steps, run, save, path):
    saved = now()
    for step in range(steps):
        run(step)
        elapsed = now() - saved
        if elapsed >= 3600:
            everyone(save, path)  # expect: TL103
            saved = now()


def deadline(run, end):
    while datetime.datetime.now() < end:
        loss = run()
        dist.all_reduce(loss)  # expect: TL103


class Saver:
    def __init__(self, save, minutes):
        self.save = save
        self.minutes = minutes
        self.last = time.time()

    def due(self):
        return time.time() - self.last > self.minutes * 60

    def after_step(self, path):
        if self.due():
            everyone(self.save, path)  # expect: TL103
            self.last = time.time()
