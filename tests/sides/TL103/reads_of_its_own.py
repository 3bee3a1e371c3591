"""A read may fail on one rank alone where its path is the rank's own; who catches the error goes on without the others."""

import json
import os
import subprocess
from pathlib import Path

import torch
import torch.distributed as dist
import yaml
from torch.utils.data import DataLoader, DistributedSampler


def own_file(folder):
    try:
        found = torch.load(f"{folder}/{dist.get_rank()}.pt")
    except OSError:
        return None
    dist.barrier()  # expect: TL103
    return found


def file_of_all(folder):
    try:
        found = torch.load(f"{folder}/all.pt")
    except OSError:
        return None
    dist.barrier()
    return found


def own_file_by_keyword(folder):
    try:
        found = torch.load(f=f"{folder}/{dist.get_rank()}.pt")
    except OSError:
        return None
    dist.barrier()  # expect: TL103
    return found


def file_of_all_by_keyword(folder):
    try:
        found = torch.load(f=f"{folder}/all.pt", map_location=f"cuda:{dist.get_rank()}")
    except OSError:
        return None
    dist.barrier()
    return found


def own_text(folder):
    path = Path(folder, f"{dist.get_rank()}.txt")
    try:
        text = path.read_text()
    except OSError:
        return None
    dist.barrier()  # expect: TL103
    return text


def text_of_all(folder):
    path = Path(folder, "all.txt")
    try:
        text = path.read_text()
    except OSError:
        return None
    dist.barrier()
    return text


def another_kind(folder):
    try:
        found = torch.load(f"{folder}/{dist.get_rank()}.pt")
    except KeyError:
        return None
    dist.barrier()
    return found


def every_kind(folder):
    try:
        found = torch.load(f"{folder}/{dist.get_rank()}.pt")
    except:  # noqa: E722
        return None
    dist.barrier()  # expect: TL103
    return found


def one_of_two_kinds(folder):
    try:
        found = torch.load(f"{folder}/{dist.get_rank()}.pt")
    except (KeyError, OSError):
        return None
    dist.barrier()  # expect: TL103
    return found


def by_the_second_handler(folder):
    try:
        found = torch.load(f"{folder}/{dist.get_rank()}.pt")
    except KeyError:
        raise
    except OSError:
        return None
    dist.barrier()  # expect: TL103
    return found


def by_the_first_handler_that_ends(folder):
    try:
        found = torch.load(f"{folder}/{dist.get_rank()}.pt")
    except OSError:
        raise
    except Exception:
        print("something else")
    dist.barrier()
    return found


def looked_for_first(folder):
    path = f"{folder}/{dist.get_rank()}.pt"
    if os.path.exists(path):
        print("there")
    try:
        found = torch.load(path)
    except OSError:
        return None
    dist.barrier()
    return found


def deleted_by_all(folder):
    """Whoever deletes is the first, or is not."""
    try:
        os.remove(f"{folder}/old.pt")
    except OSError:
        return
    dist.barrier()  # expect: TL103


def of_the_environment():
    try:
        settings = json.loads(os.environ["SETTINGS"])
    except ValueError:
        return None
    dist.barrier()
    return settings


def of_its_own_text(texts):
    try:
        settings = json.loads(texts[dist.get_rank()])
    except ValueError:
        return None
    dist.barrier()  # expect: TL103
    return settings


def by_its_own_command():
    try:
        subprocess.check_call(["nvidia-smi", "-i", str(dist.get_rank())])
    except Exception:
        return
    dist.barrier()  # expect: TL103


def by_a_command_of_all():
    try:
        subprocess.check_call(["nvidia-smi"])
    except Exception:
        return
    dist.barrier()


def read(path):
    with open(path) as file:
        return yaml.safe_load(file)


def read_carefully(path):
    try:
        with open(path) as file:
            return yaml.safe_load(file)
    except OSError:
        return {}


def read_deeper(path):
    return read(path)


def read_lazily(path):
    yield open(path).read()


def by_a_function(folder):
    try:
        found = read(f"{folder}/{dist.get_rank()}.yaml")
    except OSError:
        return None
    dist.barrier()  # expect: TL103
    return found


def by_a_function_for_all(folder):
    try:
        found = read(f"{folder}/all.yaml")
    except OSError:
        return None
    dist.barrier()
    return found


def by_a_function_that_cares(folder):
    try:
        found = read_carefully(f"{folder}/{dist.get_rank()}.yaml")
    except OSError:
        return None
    dist.barrier()
    return found


def by_a_deeper_function(folder):
    try:
        found = read_deeper(f"{folder}/{dist.get_rank()}.yaml")
    except OSError:
        return None
    dist.barrier()  # expect: TL103
    return found


def by_a_generator(folder):
    try:
        found = read_lazily(f"{folder}/{dist.get_rank()}.yaml")
    except OSError:
        return None
    dist.barrier()
    return found


class Shard:
    def __init__(self, folder):
        self.path = os.path.join(folder, str(dist.get_rank()))
        self.whole = os.path.join(folder, "all")

    def own(self):
        try:
            found = torch.load(self.path)
        except OSError:
            return None
        dist.barrier()  # expect: TL103
        return found

    def all(self):
        try:
            found = torch.load(self.whole)
        except OSError:
            return None
        dist.barrier()
        return found


def of_its_share(dataset):
    for path in DataLoader(dataset, sampler=DistributedSampler(dataset)):
        try:
            found = torch.load(path)
        except OSError:
            continue
        dist.all_reduce(found)  # expect: TL103


def of_all_of_it(paths):
    for path in paths:
        try:
            found = torch.load(path)
        except OSError:
            continue
        dist.all_reduce(found)


def handed_to_all(path):
    try:
        found = torch.load(path)
    except OSError:
        return None
    dist.barrier()
    return found


def hands_the_same(folder):
    return handed_to_all(f"{folder}/all.pt")
