"""Runs and logs of each process: told to be silent, filtered by the rank, or none at all."""

import logging
import os

import mlflow
import torch.distributed as dist
import wandb
from accelerate import Accelerator
from accelerate.logging import get_logger
from torch.utils.tensorboard import SummaryWriter


def run_of_each(args):
    dist.init_process_group("nccl")
    wandb.init(project="speech", config=vars(args))  # expect: TL112


def run_of_each_by_name(args):
    dist.init_process_group("nccl")
    wandb.init(project="speech", name=f"rank {dist.get_rank()}")


def run_in_a_group(args):
    dist.init_process_group("nccl")
    wandb.init(project="speech", group="job")


def run_with_more(args, more):
    dist.init_process_group("nccl")
    wandb.init(project="speech", **more)


def run_switched(args):
    dist.init_process_group("nccl")
    wandb.init(project="speech", mode="online" if dist.get_rank() == 0 else "disabled")


def run_switched_by_a_setting(args):
    dist.init_process_group("nccl")
    wandb.init(project="speech", mode="online" if args.online else "disabled")  # expect: TL112


def run_of_the_first(args):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        wandb.init(project="speech")


def started(args):
    dist.init_process_group("nccl")
    mlflow.start_run(run_name=args.name)  # expect: TL112


def started_for_each(args):
    dist.init_process_group("nccl")
    mlflow.start_run(run_name=f"{args.name}-{dist.get_rank()}")


def events(args):
    dist.init_process_group("nccl")
    return SummaryWriter(args.logs)  # expect: TL112


def events_of_each(args):
    dist.init_process_group("nccl")
    return SummaryWriter(os.path.join(args.logs, str(dist.get_rank())))


def events_with_a_suffix(args):
    dist.init_process_group("nccl")
    return SummaryWriter(args.logs, filename_suffix=str(dist.get_rank()))


def lines(args):
    dist.init_process_group("nccl")
    logging.basicConfig(filename="train.log", level=logging.INFO)  # expect: TL112


def lines_on_the_screen(args):
    dist.init_process_group("nccl")
    logging.basicConfig(level=logging.INFO)


def lines_of_each(args):
    dist.init_process_group("nccl")
    logging.basicConfig(filename=f"train{dist.get_rank()}.log")


def handler(args):
    dist.init_process_group("nccl")
    logger = logging.getLogger("train")
    logger.addHandler(logging.FileHandler("train.log"))  # expect: TL112


def handler_filtered(args):
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    logger = logging.getLogger("train")
    lines_of_it = logging.FileHandler("train.log")
    lines_of_it.addFilter(lambda record: rank == 0)
    logger.addHandler(lines_of_it)


def handler_of_a_filtered_logger(args):
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    logger = logging.getLogger("train")
    logger.addFilter(lambda record: rank == 0)
    logger.addHandler(logging.FileHandler("train.log"))


def handler_beside_a_filtered_logger(args):
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    logger = logging.getLogger("train")
    other = logging.getLogger("eval")
    other.addFilter(lambda record: rank == 0)
    logger.addHandler(logging.FileHandler("train.log"))  # expect: TL112


def handler_filtered_by_its_level(args, level):
    dist.init_process_group("nccl")
    logger = logging.getLogger("train")
    logger.addFilter(lambda record: record.levelno > level)
    logger.addHandler(logging.FileHandler("train.log"))  # expect: TL112


class OnlyWarnings(logging.Filter):
    def filter(self, record):
        return record.levelno >= logging.WARNING


def handler_filtered_by_an_object(args):
    dist.init_process_group("nccl")
    logger = logging.getLogger("train")
    logger.addFilter(OnlyWarnings())
    logger.addHandler(logging.FileHandler("train.log"))  # expect: TL112


def handler_with_a_level_by_rank(args):
    dist.init_process_group("nccl")
    logger = logging.getLogger("train")
    logger.setLevel(logging.INFO if dist.get_rank() == 0 else logging.CRITICAL)
    logger.addHandler(logging.FileHandler("train.log"))


def handler_with_a_level(args):
    dist.init_process_group("nccl")
    logger = logging.getLogger("train")
    logger.setLevel(logging.INFO)
    logger.addHandler(logging.FileHandler("train.log"))  # expect: TL112


def handler_with_a_level_under_a_test(args):
    dist.init_process_group("nccl")
    if dist.get_rank() != 0:
        logging.disable(logging.CRITICAL)
    logging.getLogger("train").addHandler(logging.FileHandler("train.log"))


def handler_with_a_level_under_another_test(args):
    dist.init_process_group("nccl")
    if args.short:
        logging.disable(logging.DEBUG)
    logging.getLogger("train").addHandler(logging.FileHandler("train.log"))  # expect: TL112


def handler_of_a_keeper(args):
    accelerator = Accelerator()
    logger = get_logger(__name__)
    logger.logger.addHandler(logging.FileHandler("train.log"))
    return accelerator


def handler_of_a_keeper_itself(args):
    accelerator = Accelerator()
    logger = get_logger(__name__)
    logger.addHandler(logging.FileHandler("train.log"))
    return accelerator


def handler_beside_a_keeper(args):
    accelerator = Accelerator()
    logger = get_logger(__name__)
    logger.info("begin")
    logging.getLogger().addHandler(logging.FileHandler("train.log"))  # expect: TL112
    return accelerator
