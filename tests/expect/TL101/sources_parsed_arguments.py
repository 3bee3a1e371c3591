"""Ranks that come from a command line or from a configuration object."""

import argparse
import os
from dataclasses import dataclass, field

import click
import torch.distributed as dist
from transformers import HfArgumentParser, TrainingArguments


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=-1)
    parser.add_argument("--node_rank", "-n", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--lora_rank", type=int, default=8)
    return parser.parse_args()


def local_rank(tensor):
    args = parse()
    if args.local_rank == 0:
        dist.all_reduce(tensor)  # expect: TL101


def in_the_usual_pair(tensor):
    args = parse()
    if args.local_rank in [-1, 0]:
        dist.all_reduce(tensor)  # expect: TL101


def node(tensor):
    args = parse()
    if args.node_rank == 0:
        dist.all_reduce(tensor)  # expect: TL101


def set_after_parsing(tensor):
    args = parse()
    args.rank = int(os.environ["RANK"])
    args.is_main = args.rank == 0
    if args.is_main:
        dist.all_reduce(tensor)  # expect: TL101


@click.command()
@click.option("--local-rank", default=0)
@click.option("--epochs", default=3)
def command(local_rank, epochs):
    if local_rank == 0:
        dist.barrier()  # expect: TL101
    if epochs == 0:
        dist.barrier()


@dataclass
class Setup:
    world: int = int(os.environ.get("WORLD_SIZE", 1))
    me: int = int(os.environ.get("RANK", 0))
    here: int = field(default_factory=lambda: int(os.environ.get("LOCAL_RANK", 0)))
    steps: int = 10


def from_a_dataclass(tensor, setup: Setup):
    if setup.me == 0:
        dist.all_reduce(tensor)  # expect: TL101


def from_a_factory(tensor):
    setup = Setup()
    if setup.here == 0:
        dist.all_reduce(tensor)  # expect: TL101


def hugging_face(tensor):
    parser = HfArgumentParser(TrainingArguments)
    (training_args,) = parser.parse_args_into_dataclasses()
    if training_args.local_rank <= 0:
        dist.all_reduce(tensor)  # expect: TL101


def hugging_face_index(tensor, training_args: TrainingArguments):
    if training_args.process_index == 0:
        dist.all_reduce(tensor)  # expect: TL101


def hugging_face_should_save(tensor, training_args: TrainingArguments):
    if training_args.should_save:
        dist.all_reduce(tensor)  # expect: TL101


def hugging_face_world_size(tensor, training_args: TrainingArguments):
    if training_args.world_size > 1 and training_args.do_train:
        dist.all_reduce(tensor)


def given_at_all(tensor):
    args = parse()
    if args.local_rank != -1:
        dist.all_reduce(tensor)


def steps_of_a_dataclass(tensor, setup: Setup):
    if setup.steps == 0 or setup.world > 1:
        dist.all_reduce(tensor)


def rank_of_a_matrix(tensor):
    args = parse()
    if args.lora_rank == 0:
        dist.all_reduce(tensor)


def epochs(tensor):
    args = parse()
    if args.epochs == 0:
        dist.all_reduce(tensor)


def by_default():
    """An option that a launcher's variable stands in for, whatever it is called."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--proc", type=int, default=int(os.environ.get("RANK", 0)))
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("WORLD_SIZE", 1)))
    options = parser.parse_args()
    if options.jobs > 1:
        dist.barrier()
    if options.proc == 0:
        dist.barrier()  # expect: TL101


def last_of_eight():
    """More ranks than the examples have."""
    if dist.get_rank() == 7:
        dist.barrier()  # expect: TL101


def first_eight():
    if dist.get_rank() < 8:
        dist.barrier()  # expect: TL101


def small_enough():
    if dist.get_rank() > 63:
        raise RuntimeError("at most 64 processes")
    dist.barrier()
