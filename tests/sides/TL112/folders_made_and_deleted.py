"""Making and deleting: whether being second is an error."""

import os
import shutil
from contextlib import contextmanager
from pathlib import Path

import torch
import torch.distributed as dist


def made(folder):
    dist.init_process_group("nccl")
    os.makedirs(folder)  # expect: TL112


def made_if_needed(folder):
    dist.init_process_group("nccl")
    os.makedirs(folder, exist_ok=True)


def made_strictly(folder):
    dist.init_process_group("nccl")
    os.makedirs(folder, exist_ok=False)  # expect: TL112


def made_as_told(folder, args):
    dist.init_process_group("nccl")
    os.makedirs(folder, exist_ok=args.again)


def made_with_a_mode(folder):
    dist.init_process_group("nccl")
    os.makedirs(folder, 0o755)  # expect: TL112


def made_with_a_mode_if_needed(folder):
    dist.init_process_group("nccl")
    os.makedirs(folder, 0o755, True)


def made_by_path(folder):
    dist.init_process_group("nccl")
    Path(folder).mkdir(parents=True)  # expect: TL112


def made_by_path_if_needed(folder):
    dist.init_process_group("nccl")
    Path(folder).mkdir(parents=True, exist_ok=True)


def made_in_a_try(folder):
    dist.init_process_group("nccl")
    try:
        os.makedirs(folder)
    except FileExistsError:
        pass


def made_in_a_with(folder):
    dist.init_process_group("nccl")
    with torch.no_grad():
        os.makedirs(folder)  # expect: TL112


@contextmanager
def alone_at_first():
    if dist.get_rank() != 0:
        dist.barrier()
    yield
    if dist.get_rank() == 0:
        dist.barrier()


@contextmanager
def told():
    print("begin")
    yield
    print("end")


def made_by_the_first(folder):
    dist.init_process_group("nccl")
    with alone_at_first():
        if not os.path.exists(folder):
            os.makedirs(folder)


def made_by_all_at_once(folder):
    dist.init_process_group("nccl")
    with told():
        if not os.path.exists(folder):
            os.makedirs(folder)  # expect: TL112


def deleted(folder):
    dist.init_process_group("nccl")
    shutil.rmtree(folder)  # expect: TL112


def deleted_or_not(folder):
    dist.init_process_group("nccl")
    shutil.rmtree(folder, ignore_errors=True)


def deleted_or_not_by_position(folder):
    dist.init_process_group("nccl")
    shutil.rmtree(folder, True)


def deleted_for_sure(folder):
    dist.init_process_group("nccl")
    shutil.rmtree(folder, ignore_errors=False)  # expect: TL112


def file_deleted(path):
    dist.init_process_group("nccl")
    Path(path).unlink()  # expect: TL112


def file_deleted_or_not(path):
    dist.init_process_group("nccl")
    Path(path).unlink(missing_ok=True)


def saved(model, args):
    dist.init_process_group("nccl")
    model.save_pretrained(args.output)  # expect: TL112


def saved_by_the_main_process(model, args):
    dist.init_process_group("nccl")
    model.save_pretrained(args.output, is_main_process=dist.get_rank() == 0)


def saved_with_another_function(model, args, accelerator):
    dist.init_process_group("nccl")
    model.save_pretrained(args.output, save_function=accelerator.save)


def saved_in_a_lock(model, args, lock):
    dist.init_process_group("nccl")
    with lock:
        model.save_pretrained(args.output)


def saved_with_a_file(model, args):
    dist.init_process_group("nccl")
    with open(args.list) as names:
        model.save_pretrained(os.path.join(args.output, "all"))  # expect: TL112
    print(names)


def saved_in_an_own_order(model, args, order):
    dist.init_process_group("nccl")
    with order.one_rank_at_a_time():
        model.save_pretrained(args.output)
