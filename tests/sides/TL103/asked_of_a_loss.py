"""What is asked of the loss, or of what was computed from it, before it is gone backward through."""

import math

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def too_large(network, loader, criterion):
    model = DistributedDataParallel(network)
    for images, labels in loader:
        loss = criterion(model(images), labels)
        if not loss < 10:
            continue
        loss.backward()  # expect: TL103


def inverted(network, loader, criterion):
    model = DistributedDataParallel(network)
    for images, labels in loader:
        loss = criterion(model(images), labels)
        if ~torch.isfinite(loss):
            continue
        loss.backward()  # expect: TL103


def inverted_argument(network, loader, criterion, frozen):
    model = DistributedDataParallel(network)
    for images, labels in loader:
        loss = criterion(model(images), labels)
        if (~frozen).all():
            continue
        loss.backward()


def distance_to_a_limit(network, loader, criterion, limit):
    model = DistributedDataParallel(network)
    for images, labels in loader:
        loss = criterion(model(images), labels)
        if limit - loss.item() < 0:
            continue
        loss.backward()  # expect: TL103


def distance_of_two_limits(network, loader, criterion, limit, least):
    model = DistributedDataParallel(network)
    for images, labels in loader:
        loss = criterion(model(images), labels)
        if limit - least < 0:
            continue
        loss.backward()


def not_itself(network, loader, criterion):
    model = DistributedDataParallel(network)
    for images, labels in loader:
        loss = criterion(model(images), labels)
        if loss.item() != loss.item():
            continue
        loss.backward()  # expect: TL103


def nan_times_nothing(network, loader, criterion):
    model = DistributedDataParallel(network)
    for images, labels in loader:
        loss = criterion(model(images), labels)
        if math.isnan(0 * loss.item()):
            continue
        loss.backward()  # expect: TL103


def several_at_once(network, loader, criterion):
    model = DistributedDataParallel(network)
    for images, labels in loader:
        loss = criterion(model(images), labels)
        if torch.isnan(torch.stack([loss, loss * 2])).any():
            continue
        loss.backward()  # expect: TL103


def several_that_are_no_loss(network, loader, criterion, first, second):
    model = DistributedDataParallel(network)
    for images, labels in loader:
        loss = criterion(model(images), labels)
        if torch.isnan(torch.stack([first, second])).any():
            continue
        loss.backward()


def how_many_numbers_by_a_function(network, loader, criterion):
    model = DistributedDataParallel(network)
    for images, labels in loader:
        loss = criterion(model(images), labels)
        if torch.numel(loss) > 1:
            continue
        loss.backward()


def whether_there_is_one(network, loader, criterion):
    model = DistributedDataParallel(network)
    for images, labels in loader:
        loss = criterion(model(images), labels)
        if loss is None:
            continue
        loss.backward()


def logged_only(network, loader, criterion):
    model = DistributedDataParallel(network)
    for images, labels in loader:
        loss = criterion(model(images), labels)
        if torch.isnan(loss):
            print("nan")
        loss.backward()


def reduced_first(network, loader, criterion):
    model = DistributedDataParallel(network)
    for images, labels in loader:
        loss = criterion(model(images), labels)
        value = loss.detach().clone()
        dist.all_reduce(value)
        if value > 10:
            continue
        loss.backward()


def another_one_reduced(network, loader, criterion, value):
    model = DistributedDataParallel(network)
    for images, labels in loader:
        loss = criterion(model(images), labels)
        dist.all_reduce(value)
        if loss.detach() > 10:
            continue
        loss.backward()  # expect: TL103


def raised(network, loader, criterion):
    model = DistributedDataParallel(network)
    for images, labels in loader:
        loss = criterion(model(images), labels)
        if torch.isnan(loss):
            raise FloatingPointError("loss is nan")
        loss.backward()


def raised_for_the_others(network, loader, criterion):
    model = DistributedDataParallel(network)
    for images, labels in loader:
        loss = criterion(model(images), labels)
        if torch.isfinite(loss):
            loss.backward()
        else:
            raise FloatingPointError("loss is nan")


def largest_so_far(network, loader, criterion):
    model = DistributedDataParallel(network)
    largest = 0.0
    for images, labels in loader:
        loss = criterion(model(images), labels)
        largest = max(largest, loss.item())
        loss.backward()
    if largest > 100:
        dist.barrier()  # expect: TL103


def number_of_steps_so_far(network, loader, criterion):
    model = DistributedDataParallel(network)
    steps = 0
    for images, labels in loader:
        steps = steps + 1
        criterion(model(images), labels).backward()
    if steps > 100:
        dist.barrier()
