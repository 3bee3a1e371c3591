"""A test stands before the write: it says something of the ranks, or of all of them, or nobody knows."""

import os

import torch
import torch.distributed as dist
import yaml
from transformers import TrainingArguments


def by_a_number(model, epoch, every):
    dist.init_process_group("nccl")
    if epoch % every == 0:
        torch.save(model.state_dict(), "last.pt")  # expect: TL112


def by_a_number_of_a_rank(model, rank, every):
    dist.init_process_group("nccl")
    if rank % every == 0:
        torch.save(model.state_dict(), "last.pt")


def by_a_score(model, score, best):
    dist.init_process_group("nccl")
    if score > best:
        torch.save(model.state_dict(), "last.pt")  # expect: TL112


def by_a_score_of_a_worker(model, worker_score, best):
    dist.init_process_group("nccl")
    if worker_score > best:
        torch.save(model.state_dict(), "last.pt")


def by_a_setting(model, args):
    dist.init_process_group("nccl")
    if args.save:
        torch.save(model.state_dict(), "last.pt")  # expect: TL112


def by_a_setting_of_the_master(model, args):
    dist.init_process_group("nccl")
    if args.is_master:
        torch.save(model.state_dict(), "last.pt")


def by_an_owned_thing(model, writer):
    dist.init_process_group("nccl")
    if writer:
        torch.save(model.state_dict(), "last.pt")


def by_an_owned_thing_that_is_there(model, writer):
    dist.init_process_group("nccl")
    if writer is not None:
        torch.save(model.state_dict(), "last.pt")


def by_a_thing_that_nobody_owns(model, scaler):
    dist.init_process_group("nccl")
    if scaler is not None:
        torch.save(model.state_dict(), "last.pt")  # expect: TL112


def by_no_setting(model, args):
    dist.init_process_group("nccl")
    if not args.dry:
        torch.save(model.state_dict(), "last.pt")  # expect: TL112


def by_two_settings(model, args):
    dist.init_process_group("nccl")
    if args.save and args.epochs > 3:
        torch.save(model.state_dict(), "last.pt")  # expect: TL112


def by_two_settings_one_of_the_rank(model, args):
    dist.init_process_group("nccl")
    if args.save and args.primary:
        torch.save(model.state_dict(), "last.pt")


def by_one_of_two_settings(model, args):
    dist.init_process_group("nccl")
    if args.save or args.keep:
        torch.save(model.state_dict(), "last.pt")  # expect: TL112


def by_one_of_two_settings_one_of_the_rank(model, args):
    dist.init_process_group("nccl")
    if args.save or args.chief:
        torch.save(model.state_dict(), "last.pt")


def by_a_mode(model, args):
    dist.init_process_group("nccl")
    if args.distributed:
        torch.save(model.state_dict(), "last.pt")  # expect: TL112


def by_the_lack_of_a_mode(model, args):
    dist.init_process_group("nccl")
    if not args.distributed:
        torch.save(model.state_dict(), "last.pt")


def by_an_entry_that_is_a_mode(model, config):
    dist.init_process_group("nccl")
    if config["distributed"]:
        torch.save(model.state_dict(), "last.pt")  # expect: TL112


def by_an_entry_that_is_no_mode(model, config):
    dist.init_process_group("nccl")
    if config["worker"]:
        torch.save(model.state_dict(), "last.pt")


def by_a_mode_of_a_rank(model, args):
    dist.init_process_group("nccl")
    if args.dist_rank:
        torch.save(model.state_dict(), "last.pt")


def by_a_mode_and_a_setting(model, args):
    dist.init_process_group("nccl")
    if args.distributed and args.save:
        torch.save(model.state_dict(), "last.pt")  # expect: TL112


def by_a_file(model, path):
    dist.init_process_group("nccl")
    if not os.path.exists(path):
        torch.save(model.state_dict(), path)  # expect: TL112


def by_an_own_file(model, path):
    dist.init_process_group("nccl")
    if os.path.exists(f"/tmp/{dist.get_rank()}"):
        torch.save(model.state_dict(), path)


def is_late(epoch):
    return epoch > 3


def is_first():
    return dist.get_rank() == 0


def has_master(epoch):
    master = epoch == 0
    return master


def agree(epoch):
    dist.barrier()
    return epoch > 3


def stored(epoch, found):
    found["epoch"] = epoch
    return found["epoch"]


def by_a_function(model, epoch):
    dist.init_process_group("nccl")
    if is_late(epoch):
        torch.save(model.state_dict(), "last.pt")  # expect: TL112


def by_a_function_that_asks(model):
    dist.init_process_group("nccl")
    if is_first():
        torch.save(model.state_dict(), "last.pt")


def by_a_function_that_is_given(model, epoch):
    dist.init_process_group("nccl")
    if has_local_main(epoch):
        torch.save(model.state_dict(), "last.pt")


def has_local_main(epoch):
    return epoch.local_main


def by_a_function_that_stores(model, epoch, found):
    dist.init_process_group("nccl")
    if stored(epoch, found):
        torch.save(model.state_dict(), "last.pt")  # expect: TL112


def by_what_a_function_gives(model, epoch, found):
    dist.init_process_group("nccl")
    if stored(epoch, found) is not None:
        torch.save(model.state_dict(), "last.pt")  # expect: TL112


def by_a_stranger(model, epoch):
    dist.init_process_group("nccl")
    if model.is_wanted(epoch):
        torch.save(model.state_dict(), "last.pt")


def by_settings_of_a_file(model):
    dist.init_process_group("nccl")
    with open("run.yaml") as file:
        chosen = yaml.safe_load(file)
    if chosen["save"]:
        torch.save(model.state_dict(), "last.pt")  # expect: TL112


def by_settings_of_a_file_with_a_rank(model):
    dist.init_process_group("nccl")
    with open("run.yaml") as file:
        chosen = yaml.safe_load(file)
    if chosen["rank0"]:
        torch.save(model.state_dict(), "last.pt")


def by_arguments_of_a_library(model):
    dist.init_process_group("nccl")
    arguments = TrainingArguments("runs")
    if arguments.overwrite_output_dir:
        torch.save(model.state_dict(), "last.pt")  # expect: TL112


def by_arguments_of_a_library_with_a_rank(model):
    dist.init_process_group("nccl")
    arguments = TrainingArguments("runs")
    if arguments.should_save:
        torch.save(model.state_dict(), "last.pt")


def always(model):
    dist.init_process_group("nccl")
    if True:
        torch.save(model.state_dict(), "last.pt")  # expect: TL112


def by_a_kind(model):
    dist.init_process_group("nccl")
    if isinstance(model, torch.nn.Sequential):
        torch.save(model.state_dict(), "last.pt")  # expect: TL112


def by_a_kind_of_a_rank(model):
    dist.init_process_group("nccl")
    if hasattr(model, "save") and dist.get_rank() == 0:
        torch.save(model.state_dict(), "last.pt")


def by_what_came_out_of_a_try(model, loader):
    dist.init_process_group("nccl")
    try:
        broken = model(next(loader))
    except RuntimeError:
        broken = None
    if broken:
        torch.save(model.state_dict(), "last.pt")
