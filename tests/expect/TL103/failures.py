"""What one rank alone cannot read, since it reads a file of its own, and then goes on without: the others wait for it."""

import json
import os
import urllib.request
from pathlib import Path

import soundfile
import torch
import torch.distributed as dist
from PIL import Image


def in_one_breath(folder):
    try:
        image = Image.open(f"{folder}/{dist.get_rank()}.png")
        dist.all_reduce(torch.ones(1))  # expect: TL103
        return image
    except OSError:
        return None


def left_behind(paths):
    mine = paths[dist.get_rank()]
    try:
        sound, _ = soundfile.read(mine)
    except RuntimeError as error:
        print("damaged", error)
        return
    dist.all_reduce(torch.tensor(sound).sum())  # expect: TL103


def only_if_read(folder):
    path = os.path.join(folder, "part" + str(dist.get_rank()))
    image = None
    try:
        image = Image.open(path)
    except OSError:
        print("skipped")
    if image is not None:
        dist.barrier()  # expect: TL103


def flagged(shards):
    fine = torch.ones(1)
    try:
        torch.load(shards[int(os.environ["RANK"]) % len(shards)])
    except (OSError, RuntimeError):
        fine.fill_(0)
    if fine.item():
        dist.barrier()  # expect: TL103


def read(path):
    return json.loads(open(path).read())


def by_a_helper(paths):
    for path in paths[: len(paths) // dist.get_world_size() * dist.get_world_size()][dist.get_rank() :: dist.get_world_size()]:
        try:
            found = read(path)
        except ValueError:
            continue
        dist.all_gather_object([None] * dist.get_world_size(), found)  # expect: TL103


def only_then(url, path):
    try:
        urllib.request.urlretrieve(url, path)
    except Exception:
        os.remove(path)
    else:
        dist.barrier()  # expect: TL103


class Part:
    def __init__(self, folder, rank):
        self.path = Path(folder, f"{rank:05d}.txt")


def in_the_handler(folder):
    part = Part(folder, dist.get_rank())
    try:
        return open(part.path).read()
    except OSError:
        dist.barrier()  # expect: TL103


def again_and_again(stem):
    for _ in range(3):
        try:
            data = torch.load(f"{stem}.{dist.get_rank()}")
            dist.barrier()  # expect: TL103
            return data
        except OSError:
            print("once more")


def is_said_in(path):
    settings = open(path).read()
    try:
        settings = json.loads(settings)
        if not settings.get("wanted", False):
            return False
    except json.JSONDecodeError:
        return False
    return True


def of_a_file(tensor, folder):
    if is_said_in(f"{folder}/{dist.get_rank()}.json"):
        dist.all_reduce(tensor)  # expect: TL103
