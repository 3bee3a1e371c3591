"""What one rank alone cannot read, and then goes on without: the others wait for it."""

import json
import os
import urllib.request

import soundfile
import torch
import torch.distributed as dist
from PIL import Image


def in_one_breath(path):
    try:
        image = Image.open(path)
        dist.all_reduce(torch.ones(1))  # expect: TL103
        return image
    except OSError:
        return None


def left_behind(path):
    try:
        sound, _ = soundfile.read(path)
    except RuntimeError as error:
        print("damaged", error)
        return
    dist.all_reduce(torch.tensor(sound).sum())  # expect: TL103


def only_if_read(path):
    image = None
    try:
        image = Image.open(path)
    except OSError:
        print("skipped")
    if image is not None:
        dist.barrier()  # expect: TL103


def flagged(path):
    fine = torch.ones(1)
    try:
        torch.load(path)
    except (OSError, RuntimeError):
        fine.fill_(0)
    if fine.item():
        dist.barrier()  # expect: TL103


def read(path):
    return json.loads(open(path).read())


def by_a_helper(paths):
    for path in paths:
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


def in_the_handler(path):
    try:
        return open(path).read()
    except OSError:
        dist.barrier()  # expect: TL103


def again_and_again(path):
    for _ in range(3):
        try:
            data = torch.load(path)
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


def of_a_file(tensor, path):
    if is_said_in(path):
        dist.all_reduce(tensor)  # expect: TL103
