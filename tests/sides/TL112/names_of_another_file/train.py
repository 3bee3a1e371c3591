"""The path is a name of another file, or of one of its classes."""

import os

import settings
import torch
import torch.distributed as dist
from settings import OUTPUT, SCRATCH, SHARE, Places


def imported(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), OUTPUT)  # expect: TL112


def imported_scratch(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), SCRATCH)


def imported_share(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), SHARE)


def of_the_module(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), settings.OUTPUT)  # expect: TL112


def of_the_module_scratch(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), os.path.join(settings.SCRATCH, "last.pt"))


def of_the_module_share(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), os.path.join(settings.SHARE, "last.pt"))


def of_the_module_absent(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), settings.newest)


def of_the_module_called(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), settings.newest())  # expect: TL112


def of_the_class(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), os.path.join(Places.root, "last.pt"))  # expect: TL112


def of_the_class_per_rank(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), os.path.join(Places.per_rank, "last.pt"))


def of_the_class_shelf(model):
    dist.init_process_group("nccl")
    torch.save(model.state_dict(), os.path.join(Places.shelf, "last.pt"))


def of_an_object(model):
    dist.init_process_group("nccl")
    places = Places()
    torch.save(model.state_dict(), os.path.join(places.root, places.weights))  # expect: TL112


def of_an_object_mine(model):
    dist.init_process_group("nccl")
    places = Places()
    torch.save(model.state_dict(), os.path.join(places.root, places.mine))


def of_an_object_called(model):
    dist.init_process_group("nccl")
    places = Places()
    torch.save(model.state_dict(), os.path.join(places.root, places.name()))  # expect: TL112


def of_an_object_uncalled(model):
    dist.init_process_group("nccl")
    places = Places()
    torch.save(model.state_dict(), f"{places.root}/{places.name}")
