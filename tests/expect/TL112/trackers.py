"""Runs, event files and log files: one for each process instead of one for the job."""

import argparse
import logging
import os

import deepspeed
import torch
import wandb
from torch.utils.tensorboard import SummaryWriter

try:
    import apex

    has_apex = True
except ImportError:
    has_apex = False


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--wandb", action="store_true")
    return parser.parse_args(), parser.description


def begin():
    args, text = options()
    if args.wandb and not has_apex:
        wandb.init(project="speech", config=vars(args))  # expect: TL112
    torch.distributed.init_process_group("nccl")
    return args, text


def train(args, model, loader):
    writer = SummaryWriter(log_dir=os.path.join(args.folder, "events"))  # expect: TL112
    logging.getLogger().addHandler(logging.FileHandler("train.log"))  # expect: TL112
    engine, _, _, _ = deepspeed.initialize(args=args, model=model)
    for step, batch in enumerate(loader):
        loss = engine(batch)
        engine.backward(loss)
        engine.step()
        writer.add_scalar("loss", loss.item(), step)
