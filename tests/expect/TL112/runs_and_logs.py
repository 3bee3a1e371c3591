"""A run, or a log that is set up for the whole process, on every rank of the job."""

import logging
import os

import mlflow
import swanlab
import torch.distributed as dist


def begin(folder):
    dist.init_process_group("nccl")
    logging.basicConfig(filename=os.path.join(folder, "run.log"), level=logging.INFO)  # expect: TL112


def begin_run(settings):
    dist.init_process_group("nccl")
    mlflow.start_run(run_name="pretraining")  # expect: TL112
    swanlab.init(project="speech", config=settings)  # expect: TL112


def quiet_screen(folder):
    dist.init_process_group("nccl")
    screen = logging.getLogger("screen")
    logging.basicConfig(filename=os.path.join(folder, "all.log"))  # expect: TL112
    screen.setLevel(logging.INFO)


def with_quiet_logger(settings):
    dist.init_process_group("nccl")
    logging.getLogger().setLevel(logging.INFO if dist.get_rank() == 0 else logging.ERROR)
    swanlab.init(project="text", config=settings)  # expect: TL112
