"""The write of rank 0 is in one function, the test or the use in another."""

import os
from contextlib import contextmanager

import torch
import torch.distributed as dist


def save(model, path):
    torch.save(model.state_dict(), path)  # expect: TL111


def saved_under_a_test(model):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        save(model, "under.pt")
    return torch.load("under.pt")


def save_and_wait(model, path):
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), path)
    dist.barrier()


def saved_and_waited(model):
    dist.init_process_group("nccl")
    save_and_wait(model, "waited.pt")
    return torch.load("waited.pt")


def save_first(model, path):
    if dist.get_rank() != 0:
        return
    torch.save(model.state_dict(), path)  # expect: TL111


def saved_by_the_first(model):
    dist.init_process_group("nccl")
    save_first(model, "first.pt")
    return torch.load("first.pt")


def save_first_of_many(model, path):
    if dist.get_rank() != 0:
        return
    torch.save(model.state_dict(), path)


def saved_by_the_first_and_waited(model):
    dist.init_process_group("nccl")
    save_first_of_many(model, "many.pt")
    dist.barrier()
    return torch.load("many.pt")


def main_only(function):
    def wrapper(*args):
        if dist.get_rank() == 0:
            function(*args)

    return wrapper


@main_only
def save_decorated(model, path):
    torch.save(model.state_dict(), path)  # expect: TL111


@main_only
def save_decorated_in_time(model, path):
    torch.save(model.state_dict(), path)


def saved_decorated(model):
    dist.init_process_group("nccl")
    save_decorated(model, "decorated.pt")
    return torch.load("decorated.pt")


def saved_decorated_in_time(model):
    dist.init_process_group("nccl")
    save_decorated_in_time(model, "in_time.pt")
    dist.barrier()
    return torch.load("in_time.pt")


@main_only
def look_decorated(path):
    return torch.load(path)


def read_by_the_first_only(model):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), "own.pt")
    look_decorated("own.pt")


def in_rounds(model, epochs):
    dist.init_process_group("nccl")
    for epoch in range(epochs):
        if dist.get_rank() != 0:
            continue
        torch.save(model.state_dict(), "rounds.pt")  # expect: TL111
    return torch.load("rounds.pt")


def in_rounds_that_wait(model, epochs):
    dist.init_process_group("nccl")
    for epoch in range(epochs):
        if dist.get_rank() == 0:
            torch.save(model.state_dict(), "wait.pt")
        dist.barrier()
    return torch.load("wait.pt")


@contextmanager
def everybody():
    dist.barrier()
    yield
    dist.barrier()


@contextmanager
def noted():
    print("begin")
    yield


def read_in_a_with_that_waits(model):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), "with.pt")
    with everybody():
        return torch.load("with.pt")


def read_in_a_with(model):
    dist.init_process_group("nccl")
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), "plain.pt")  # expect: TL111
    with torch.no_grad():
        return torch.load("plain.pt")


def written_in_a_with(model):
    dist.init_process_group("nccl")
    with noted():
        if dist.get_rank() == 0:
            torch.save(model.state_dict(), "noted.pt")  # expect: TL111
    return torch.load("noted.pt")


def written_in_a_try(model):
    dist.init_process_group("nccl")
    try:
        if dist.get_rank() == 0:
            torch.save(model.state_dict(), "try.pt")  # expect: TL111
    finally:
        print("done")
    return torch.load("try.pt")


class Cache:
    def __init__(self, folder):
        self.path = os.path.join(folder, "cache.pt")
        self.own = os.path.join(folder, f"{dist.get_rank()}.pt")

    def write(self, tokens):
        if dist.get_rank() == 0:
            torch.save(tokens, self.path)  # expect: TL111

    def write_own(self, tokens):
        torch.save(tokens, self.own)

    def read(self):
        return torch.load(self.path)

    def read_own(self):
        return torch.load(self.own)


def cached(tokens, folder):
    dist.init_process_group("nccl")
    cache = Cache(folder)
    cache.write(tokens)
    cache.write_own(tokens)
    return cache.read(), cache.read_own()
