"""What is picked out of a batch may be nothing on one rank."""

import torch
from torch.nn.parallel import DistributedDataParallel


def by_a_mask(network, loader, criterion):
    model = DistributedDataParallel(network)
    for inputs, targets in loader:
        wanted = targets[targets > 0]
        if len(wanted) == 0:
            continue
        criterion(model(inputs), wanted).backward()  # expect: TL103


def by_their_places(network, loader, criterion):
    model = DistributedDataParallel(network)
    for inputs, targets in loader:
        if torch.nonzero(targets).numel() == 0:
            continue
        criterion(model(inputs), targets).backward()  # expect: TL103
