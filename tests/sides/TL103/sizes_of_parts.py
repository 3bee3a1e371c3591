"""No loader hands out a batch with nothing in it, nor does a part as it was drawn; what was picked out of it may be nothing."""

import torch
from torch.nn.parallel import DistributedDataParallel


def whole(network, loader, criterion):
    model = DistributedDataParallel(network)
    for images, labels in loader:
        if len(images) == 0:
            continue
        criterion(model(images), labels).backward()


def whole_by_its_shape(network, loader, criterion):
    model = DistributedDataParallel(network)
    for images, labels in loader:
        if images.shape[0] == 0:
            continue
        criterion(model(images), labels).backward()


def picked_by_a_mask(network, loader, criterion):
    model = DistributedDataParallel(network)
    for images, labels in loader:
        known = labels[labels >= 0]
        if known.shape[0] == 0:
            continue
        criterion(model(images), known).backward()  # expect: TL103


def elsewhere(network, loader, criterion, device):
    model = DistributedDataParallel(network)
    for images, labels in loader:
        if images.to(device).numel() == 0:
            continue
        criterion(model(images), labels).backward()


def picked_and_elsewhere(network, loader, criterion, device):
    model = DistributedDataParallel(network)
    for images, labels in loader:
        known = labels[labels >= 0].to(device)
        if known.numel() == 0:
            continue
        criterion(model(images), known).backward()  # expect: TL103


def by_a_function(network, loader, criterion):
    model = DistributedDataParallel(network)
    for images, labels in loader:
        if torch.numel(images) == 0:
            continue
        criterion(model(images), labels).backward()


def by_a_function_and_picked(network, loader, criterion):
    model = DistributedDataParallel(network)
    for images, labels in loader:
        if torch.numel(torch.nonzero(labels)) == 0:
            continue
        criterion(model(images), labels).backward()  # expect: TL103


def named(network, loader, criterion):
    model = DistributedDataParallel(network)
    for batch in loader:
        if len(batch["labels"]) == 0:
            continue
        criterion(model(batch["images"]), batch["labels"]).backward()


def named_and_picked(network, loader, criterion):
    model = DistributedDataParallel(network)
    for batch in loader:
        boxes = batch["boxes"][batch["boxes"].sum() > 0]
        if len(boxes) == 0:
            continue
        criterion(model(batch["images"]), boxes).backward()  # expect: TL103


def handed_out(network, loader, criterion):
    model = DistributedDataParallel(network)
    for batch in loader:
        if len(batch.get("labels")) == 0:
            continue
        criterion(model(batch["images"]), batch["labels"]).backward()


def attribute(network, loader):
    model = DistributedDataParallel(network)
    for batch in loader:
        if batch.shape[0] == 0:
            continue
        model(batch).mean().backward()


def larger_than_some(network, loader, criterion):
    model = DistributedDataParallel(network)
    for images, labels in loader:
        known = labels[labels >= 0]
        if len(known) < 8:
            continue
        criterion(model(images), known).backward()


def truth_of_what_was_picked(network, loader, criterion):
    model = DistributedDataParallel(network)
    for images, labels in loader:
        known = labels[labels >= 0]
        if not len(known):
            continue
        criterion(model(images), known).backward()  # expect: TL103


def at_least_one(network, loader, criterion):
    model = DistributedDataParallel(network)
    for images, labels in loader:
        known = labels[labels >= 0]
        if len(known) >= 1:
            criterion(model(images), known).backward()  # expect: TL103


def fewer_than_one(network, loader, criterion):
    model = DistributedDataParallel(network)
    for images, labels in loader:
        known = labels[labels >= 0]
        if len(known) < 1:
            continue
        criterion(model(images), known).backward()  # expect: TL103


def one_or_several(network, loader, criterion):
    model = DistributedDataParallel(network)
    for images, labels in loader:
        known = labels[labels >= 0]
        if known.numel() <= 0:
            continue
        criterion(model(images), known).backward()  # expect: TL103


def shares_of_sizes(network, loader, criterion):
    model = DistributedDataParallel(network)
    for images, labels in loader:
        share = len(labels[labels >= 0]) / len(labels)
        if share == 0:
            continue
        criterion(model(images), labels).backward()  # expect: TL103
