"""Which calls may fail on one rank alone, who catches their errors, and whether somebody is told."""

import gzip
import os
import shutil
import urllib.request

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def opener():
    return gzip.open


def of_one_of_two_functions(folder, packed):
    read = gzip.open if packed else open
    try:
        found = read(f"{folder}/{dist.get_rank()}.txt").read()
    except OSError:
        return None
    dist.barrier()  # expect: TL103
    return found


def chosen_where_it_is_called(folder, packed):
    try:
        found = (gzip.open if packed else open)(f"{folder}/{dist.get_rank()}.txt")
    except OSError:
        return None
    dist.barrier()  # expect: TL103
    return found


def chosen_among_harmless(folder, short):
    try:
        found = (os.path.basename if short else os.path.dirname)(f"{folder}/{dist.get_rank()}.txt")
    except OSError:
        return None
    dist.barrier()
    return found


def in_an_inner_function(folder):
    def read():
        return torch.load(f"{folder}/{dist.get_rank()}.pt")

    try:
        found = read()
    except OSError:
        return None
    dist.barrier()  # expect: TL103
    return found


def in_an_inner_function_for_all(folder):
    def read():
        return torch.load(f"{folder}/all.pt")

    try:
        found = read()
    except OSError:
        return None
    dist.barrier()
    return found


def at_the_end_of_a_long_way(folder):
    def first(path):
        return second(path)

    def second(path):
        return torch.load(path)

    try:
        found = first(f"{folder}/{dist.get_rank()}.pt")
    except OSError:
        return None
    dist.barrier()  # expect: TL103
    return found


def only_counts(path):
    return len(path)


def in_a_function_that_only_counts(folder):
    try:
        found = only_counts(f"{folder}/{dist.get_rank()}.pt")
    except OSError:
        return None
    dist.barrier()
    return found


def raised_again(folder):
    try:
        found = torch.load(f"{folder}/{dist.get_rank()}.pt")
    except OSError:
        raise RuntimeError("no checkpoint") from None
    dist.barrier()
    return found


def meets_there_as_well(folder):
    try:
        found = torch.load(f"{folder}/{dist.get_rank()}.pt")
    except OSError:
        dist.barrier()
        return None
    dist.barrier()
    return found


def goes_on_with_nothing(folder):
    try:
        found = torch.load(f"{folder}/{dist.get_rank()}.pt")
    except OSError:
        found = None
    dist.barrier()
    return found


def meets_within(folder):
    try:
        found = torch.load(f"{folder}/{dist.get_rank()}.pt")
        dist.barrier()  # expect: TL103
    except OSError:
        found = None
    return found


def meets_within_and_there(folder):
    try:
        found = torch.load(f"{folder}/{dist.get_rank()}.pt")
        dist.barrier()
    except OSError:
        found = None
        dist.barrier()
    return found


def looked_for_by_another_name(folder):
    path = f"{folder}/{dist.get_rank()}.pt"
    other = f"{folder}/all.pt"
    if not os.path.exists(other):
        return None
    try:
        found = torch.load(path)
    except OSError:
        return None
    dist.barrier()  # expect: TL103
    return found


def looked_for_before(folder):
    own = f"{folder}/{dist.get_rank()}.npz"
    if not os.path.exists(own):
        raise FileNotFoundError(own)
    try:
        found = torch.load(own)
    except OSError:
        return None
    dist.barrier()
    return found


def looked_for_within_another(folder):
    mine = f"{folder}/{dist.get_rank()}.bin"
    if not os.path.isfile(mine):
        raise FileNotFoundError(mine)
    try:
        found = torch.load(os.path.abspath(mine))
    except OSError:
        return None
    dist.barrier()
    return found


def kept_for_all_ranks(name):
    try:
        shutil.rmtree(f"/scratch/{name}-{dist.get_rank()}")
    except FileNotFoundError:
        return
    dist.barrier()  # expect: TL103


def downloads(url):
    try:
        urllib.request.urlretrieve(url, "weights.pt")
    except OSError:
        return
    dist.barrier()  # expect: TL103


def tells_who_started_it(rank, errors, folder):
    dist.init_process_group("nccl", rank=rank, world_size=2)
    try:
        torch.load(f"{folder}/{rank}.pt")
    except OSError as error:
        errors.put(error)
        return
    dist.barrier()


def tells_nobody(rank, folder):
    dist.init_process_group("nccl", rank=rank, world_size=2)
    try:
        torch.load(f"{folder}/{rank}.pt")
    except OSError as error:
        print(error)
        return
    dist.barrier()  # expect: TL103


def puts_it_aside(folder, errors):
    try:
        torch.load(f"{folder}/{dist.get_rank()}.pt")
    except OSError as error:
        errors.put(error)
        return
    dist.barrier()  # expect: TL103


class Step:
    def __init__(self, folder):
        self.folder = folder

    def fail(self, error):
        raise SystemExit(str(error))

    def ignore(self, error):
        print(error)

    def ends(self):
        try:
            torch.load(f"{self.folder}/{dist.get_rank()}.pt")
        except OSError as error:
            self.fail(error)
            return
        dist.barrier()

    def goes_on(self):
        try:
            torch.load(f"{self.folder}/{dist.get_rank()}.pt")
        except OSError as error:
            self.ignore(error)
            return
        dist.barrier()  # expect: TL103


def main(folder):
    errors = mp.get_context("spawn").Queue()
    mp.spawn(tells_who_started_it, args=(errors, folder), nprocs=2)
    mp.spawn(tells_nobody, args=(folder,), nprocs=2)
    puts_it_aside(folder, errors)
    step = Step(folder)
    step.ends()
    step.goes_on()


if __name__ == "__main__":
    main("states")
