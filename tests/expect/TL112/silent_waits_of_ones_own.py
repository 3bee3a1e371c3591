"""One process: where a setting says that there is one, or where a caller lets one in; and words that only sound like waiting."""

import json
import os

import torch
import torch.distributed as dist


def synchronize():
    if dist.is_initialized():
        dist.barrier()


def finish(cfg, model):
    """Without sharding there may be one process."""
    if cfg.fsdp:
        dist.barrier()
    else:
        torch.save(model.state_dict(), os.path.join(cfg.output_dir, "model.pt"))
    if not cfg.distributed:
        torch.save(cfg, os.path.join(cfg.output_dir, "config.pt"))


def save(cfg, model, sharded):
    if sharded:
        dist.barrier()
    torch.save(model.state_dict(), os.path.join(cfg.output_dir, "best.pt"))


def train(cfg, model, rank):
    if cfg.sharded or rank == 0:
        save(cfg, model, cfg.sharded)


def wait_for(path):
    """Waits for a file."""
    while not os.path.exists(path):
        pass


def convert(cfg, model):
    wait_for(cfg.source)
    torch.save(model, os.path.join(cfg.output_dir, "converted.pt"))


def by_one(cfg, model):
    synchronize()
    if dist.get_rank() == 0:
        with open(os.path.join(cfg.output_dir, "config.json"), "w") as file:
            json.dump(cfg.model, file)
    synchronize()
