"""Correct: the process that started the ranks is told of the error of one of them, and ends the others."""

import multiprocessing
import traceback

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def fit(settings, network, loader):
    model = DistributedDataParallel(network)
    weights = torch.load(settings.start)
    network.load_state_dict(weights)
    for batch in loader:
        loss = model(batch).mean()
        loss.backward()
        dist.all_reduce(loss)


def work(settings, errors, network, loader):
    try:
        settings.rank = settings.join()
        fit(settings, network, loader)
    except KeyboardInterrupt:
        pass
    except Exception:
        errors.put((settings.rank, traceback.format_exc()))


def main(settings, watch, network, loader):
    context = multiprocessing.get_context("spawn")
    errors = context.SimpleQueue()
    workers = []
    for number in range(settings.world):
        settings.rank = number
        workers.append(multiprocessing.Process(target=work, args=(settings, errors, network, loader), daemon=True))
        workers[number].start()
        watch(errors, workers[number].pid)
    for worker in workers:
        worker.join()
