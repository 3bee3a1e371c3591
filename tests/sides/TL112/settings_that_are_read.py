"""Whether a run is tracked, or its folder cleared, is read from a file or the command line, the same for all ranks."""

import argparse
import dataclasses
import json
import shutil
from pathlib import Path

import deepspeed
import toml
import torch.distributed as dist
import tyro
import wandb
import yaml


@dataclasses.dataclass
class Settings:
    folder: Path = Path("out")
    resume: bool = False
    overwrite: bool = False


def of_a_toml_file(args):
    with open(args.config) as file:
        config = json.loads(json.dumps(toml.load(file)))
    dist.init_process_group("nccl")
    tracks = config.get("monitoring", {}).get("enable_wandb", False)
    if tracks:
        wandb.init(project="bert")  # expect: TL112


def of_a_file_of_each_rank(rank):
    with open(f"settings_{rank}.toml") as file:
        config = toml.load(file)
    dist.init_process_group("nccl")
    if config.get("enable_wandb", False):
        wandb.init(project="bert")


def of_an_entry_about_ranks(args):
    with open(args.config) as file:
        config = yaml.full_load(file)
    dist.init_process_group("nccl")
    if config.get(f"rank_{dist.get_rank()}", False):
        wandb.init(project="bert")


def of_options_that_deepspeed_adds():
    parser = deepspeed.add_config_arguments(argparse.ArgumentParser())
    args = parser.parse_args()
    with open(args.config) as file:
        config = json.load(file)
    dist.init_process_group("nccl")
    if config["tracks"]:
        wandb.init(project="bert")  # expect: TL112


def cleared(config):
    dist.init_process_group("nccl")
    if config.resume:
        print("resuming")
    elif config.overwrite and config.folder.exists():
        shutil.rmtree(config.folder)  # expect: TL112
    dist.barrier()


def of_the_command_line():
    cleared(tyro.cli(Settings))


def cleared_by_the_first(config):
    dist.init_process_group("nccl")
    if config.overwrite and dist.get_rank() == 0 and config.folder.exists():
        shutil.rmtree(config.folder)
    dist.barrier()


def of_the_command_line_too():
    cleared_by_the_first(tyro.cli(Settings))
