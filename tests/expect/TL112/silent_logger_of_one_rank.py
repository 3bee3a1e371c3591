"""A method hands the logger to an object on rank 0 only: where the object has one, that is rank 0."""

import os

import torch.distributed as dist

RANK = int(os.environ["LOCAL_RANK"])


class Metrics:
    def __init__(self, path):
        self._path = path

    def append(self, metrics):
        with open(self._path, "w") as file:
            file.write(str(metrics))


class Workload:
    def __init__(self):
        self.metrics_logger = None

    def attach(self, metrics_logger):
        self.metrics_logger = metrics_logger


def update(workload: Workload, loss, step):
    dist.all_reduce(loss)
    loss.backward()
    if step <= 100:
        if workload.metrics_logger is not None:
            workload.metrics_logger.append({"loss": loss.item()})


def run(path):
    workload = Workload()
    if RANK == 0:
        metrics_logger = Metrics(path)
        workload.attach(metrics_logger)
    return workload
