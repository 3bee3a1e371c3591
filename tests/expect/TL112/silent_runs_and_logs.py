"""Logs that are no file, that rank 0 has for itself, or that say something on rank 0 only; runs that are shared on purpose."""

import logging
import os

import mlflow
import swanlab
import torch.distributed as dist


def on_screen():
    dist.init_process_group("nccl")
    logging.basicConfig(level=logging.INFO, format="%(message)s")


def of_rank_0(folder):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        logging.basicConfig(filename=os.path.join(folder, "run.log"))
        mlflow.start_run()
    else:
        logging.basicConfig(level=logging.ERROR)


def of_each(folder):
    dist.init_process_group("nccl")
    logging.basicConfig(filename=os.path.join(folder, f"run_{dist.get_rank()}.log"))


def loud_on_rank_0(folder):
    dist.init_process_group("nccl")
    logging.basicConfig(filename=os.path.join(folder, "run.log"))
    logging.getLogger().setLevel(logging.INFO if dist.get_rank() == 0 else logging.ERROR)


def switched_off(folder):
    dist.init_process_group("nccl")
    rank = dist.get_rank()
    logging.basicConfig(filename=os.path.join(folder, "run.log"))
    if rank != 0:
        logging.disable(logging.CRITICAL)


def joined(run):
    dist.init_process_group("nccl")
    mlflow.start_run(run_id=run)
    swanlab.init(project="speech", group="night")
