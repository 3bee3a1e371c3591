"""A rank that cannot read something, and what is right then."""

import json
import os
import subprocess

import soundfile
import torch
import torch.distributed as dist
from PIL import Image


def all_are_told(folder):
    path = f"{folder}/{dist.get_rank()}.pt"
    fine = torch.ones(1)
    try:
        torch.load(path)
    except (OSError, RuntimeError):
        fine.fill_(0)
    dist.all_reduce(fine, op=dist.ReduceOp.MIN)
    if fine.item():
        dist.barrier()


def all_go_on(folder):
    path = f"{folder}/{dist.get_rank()}.png"
    try:
        image = Image.open(path)
    except OSError:
        image = None
    dist.barrier()
    return image


def the_job_ends(folder):
    path = f"{folder}/{dist.get_rank()}.wav"
    try:
        sound = soundfile.read(path)
    except RuntimeError:
        print("damaged", path)
        raise
    dist.barrier()
    return sound


def or_ends_without_an_error(folder):
    path = f"{folder}/{dist.get_rank()}.wav"
    try:
        sound = soundfile.read(path)
    except RuntimeError as error:
        raise SystemExit(1) from error
    dist.barrier()
    return sound


def another_error(folder, scale):
    path = f"{folder}/{dist.get_rank()}.png"
    try:
        image = Image.open(path)
        image = image / scale
        dist.barrier()
    except ZeroDivisionError:
        return None
    return image


def something_instead(folder):
    path = f"{folder}/{dist.get_rank()}.png"
    try:
        image = Image.open(path)
    except OSError:
        image = Image.new("RGB", (1, 1))
    dist.barrier()
    return image


def made_if_missing(folder):
    try:
        os.makedirs(folder)
    except FileExistsError:
        pass
    dist.barrier()


def with_a_fallback(folder):
    path = f"{folder}/{dist.get_rank()}.json"
    try:
        settings = open(path).read()
    except OSError:
        settings = "{}"
    if settings is not None:
        dist.barrier()


def looked_for(folder):
    path = os.path.join(folder, "last")
    if not os.path.exists(path):
        return
    try:
        name = open(path).read()
    except OSError:
        name = ""
    if name:
        dist.barrier()


def one_rank_reads(path):
    answer = [None]
    if dist.get_rank() == 0:
        try:
            answer[0] = open(path).read()
        except OSError:
            answer[0] = ""
    dist.broadcast_object_list(answer, src=0)
    if answer[0]:
        dist.barrier()


def is_wanted():
    settings = os.getenv("LAUNCHER_SETTINGS", "{}")
    try:
        settings = json.loads(settings)
        if not settings.get("wanted", False):
            return False
    except json.JSONDecodeError:
        return False
    return True


def of_the_environment(tensor):
    """The variable was set for the job: all ranks can read it, or none."""
    if is_wanted():
        dist.all_reduce(tensor)


def restored(model, folder, fallback):
    """The checkpoint of the whole job: it is there for all ranks or for none, and if it is damaged it is so for all."""
    try:
        state = torch.load(os.path.join(folder, "model.pt"), map_location=f"cuda:{dist.get_rank()}")
        dist.barrier()
    except Exception:
        return fallback
    model.load_state_dict(state)
    return model


def told_by_the_caller(path):
    """Nobody says that each rank has another path."""
    try:
        image = Image.open(path)
    except OSError:
        return None
    dist.barrier()
    return image


def of_which_commit():
    try:
        commit = subprocess.check_output(["git", "rev-parse", "HEAD"]).decode()
    except Exception:
        commit = None
    if commit is not None:
        dist.barrier()
