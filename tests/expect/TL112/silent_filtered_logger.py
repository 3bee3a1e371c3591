"""A logger that lets lines through on one rank only is given a file: the other ranks write nothing there."""

import logging
import os

import torch.distributed as dist


def logger_of(folder, rank):
    logger = logging.getLogger("run")
    logger.addFilter(lambda _: rank == 0)
    os.makedirs(folder, exist_ok=True)
    lines = logging.FileHandler(os.path.join(folder, "run.log"))
    logger.addHandler(lines)
    return logger


def quiet_handler(folder):
    def first(record):
        return dist.get_rank() == 0

    lines = logging.FileHandler(os.path.join(folder, "events.log"))
    lines.addFilter(first)
    logging.getLogger("events").addHandler(lines)


def main(folder, net):
    dist.init_process_group("nccl")
    logger_of(folder, dist.get_rank()).info("begins")
    quiet_handler(folder)
    net.fit()
