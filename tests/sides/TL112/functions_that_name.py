"""A function or method of the project makes the path."""

import os
import random
import tempfile

import torch
import torch.distributed as dist


def last_of(folder):
    return os.path.join(folder, "last.pt")


def last_of_rank(folder):
    return os.path.join(folder, f"{dist.get_rank()}.pt")


def rank_path(folder):
    return os.path.join(folder, "r.pt")


def pair_of(folder):
    return folder, os.path.join(folder, f"{os.getpid()}.pt")


def one_of_two(folder, short):
    if short:
        return folder, "last.pt"
    return folder + "/long", "last.pt"


def not_always_two(folder, short):
    if short:
        return folder.split("/")
    return folder, "last.pt"


def nothing(folder):
    os.makedirs(folder, exist_ok=True)


def each_of(folder):
    yield os.path.join(folder, "a.pt")


def shorter(folder):
    return shorter(folder[1:]) if folder.startswith("/") else folder


def any_of(names):
    return random.choice(names)


def a_path(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), last_of("runs"))  # expect: TL112


def a_path_of_a_rank(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), last_of_rank("runs"))


def a_path_that_is_called_so(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), rank_path("runs"))  # expect: TL112


def a_path_in_a_folder_of_a_rank(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), last_of(f"runs{dist.get_rank()}"))


def first_of_a_pair(model):
    dist.init_process_group("nccl")
    folder, _ = pair_of("runs")
    torch.save(model.state_dict(), folder + "/first.pt")  # expect: TL112


def second_of_a_pair(model):
    dist.init_process_group("nccl")
    _, path = pair_of("runs")
    torch.save(model.state_dict(), path)


def first_by_number(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), pair_of("runs")[0])  # expect: TL112


def second_by_number(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), pair_of("runs")[1])


def last_by_number(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), pair_of("runs")[-1])


def first_from_the_end(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), pair_of("runs")[-2])  # expect: TL112


def of_two_ways(model, args):
    dist.init_process_group("nccl")
    folder, name = one_of_two("runs", args.short)
    torch.save(model.state_dict(), os.path.join(folder, name))  # expect: TL112


def of_two_kinds(model, args):
    dist.init_process_group("nccl")
    folder, name = not_always_two("runs/a", args.short)
    torch.save(model.state_dict(), os.path.join(folder, name))


def of_nothing(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), nothing("runs"))


def of_a_generator(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), next(each_of("runs")))  # expect: TL112


def by_chance(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), any_of(["a.pt", "b.pt"]))


def in_a_temporary_folder(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), last_of(tempfile.mkdtemp()))


class Run:
    def __init__(self, folder):
        self.folder = folder
        self.rank = dist.get_rank()
        self.mine = os.path.join(folder, str(self.rank))

    def path(self, name):
        return os.path.join(self.folder, name)

    def own_path(self, name):
        return os.path.join(self.mine, name)

    @property
    def best(self):
        return os.path.join(self.folder, "best.pt")

    @property
    def my_best(self):
        return os.path.join(self.mine, "best.pt")


def method(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), Run("runs").path("last.pt"))  # expect: TL112


def method_of_the_rank(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), Run("runs").own_path("last.pt"))


def property_of_it(model):
    dist.init_process_group("nccl")
    run = Run("runs")
    torch.save(model.state_dict(), run.best)  # expect: TL112


def property_of_the_rank(model):
    dist.init_process_group("nccl")
    run = Run("runs")
    torch.save(model.state_dict(), run.my_best)


def attribute_of_it(model):
    dist.init_process_group("nccl")
    run = Run("runs")
    torch.save(model.state_dict(), run.folder + "/last.pt")  # expect: TL112


def attribute_of_the_rank(model):
    dist.init_process_group("nccl")
    run = Run("runs")
    torch.save(model.state_dict(), run.mine + "/last.pt")


def bound_method(model):
    dist.init_process_group("nccl")
    run = Run("runs")
    torch.save(model.state_dict(), f"{run.path}")
