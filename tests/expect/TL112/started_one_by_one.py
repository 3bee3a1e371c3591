"""Processes that one process starts by hand: what it writes before is written once, beside a direct call for one GPU, too."""

import logging
import os
import sys

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def logger_of(folder):
    logger = logging.getLogger("train")
    logger.addHandler(logging.FileHandler(os.path.join(folder, "train.log")))
    return logger


def run(rank, size, folder):
    dist.init_process_group("gloo", world_size=size, rank=rank)
    model = torch.nn.Linear(2, 2)
    torch.save(model.state_dict(), os.path.join(folder, "last.pt"))  # expect: TL112


def main(folder, size):
    logger_of(folder)
    if size == 1:
        run(0, 1, folder)
        return
    started = []
    for rank in range(size):
        process = mp.Process(target=run, args=(rank, size, folder))
        started.append(process)
        process.start()
    for process in started:
        process.join()


def load(number, tasks):
    for task in iter(tasks.get, None):
        print(number, task)


def trained_with_readers(folder, tasks):
    dist.init_process_group("gloo")
    for number in range(4):
        mp.Process(target=load, args=(number, tasks)).start()
    model = torch.nn.Linear(2, 2)
    torch.save(model.state_dict(), os.path.join(folder, "model.pt"))  # expect: TL112


if __name__ == "__main__":
    if len(sys.argv) > 2:
        main(sys.argv[1], torch.cuda.device_count())
    else:
        trained_with_readers(sys.argv[1], mp.Queue())
