"""A filter that says nothing of the rank keeps no rank from writing the file."""

import logging
import os

import torch.distributed as dist


def logger_of(folder, level):
    logger = logging.getLogger("run")
    logger.addFilter(lambda record: record.levelno >= level)
    lines = logging.FileHandler(os.path.join(folder, "run.log"))  # expect: TL112
    logger.addHandler(lines)
    return logger


def main(folder, net):
    dist.init_process_group("nccl")
    logger_of(folder, logging.INFO).info("begins")
    net.fit()
