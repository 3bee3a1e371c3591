"""An error of one rank is swallowed, and the rank goes on."""

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def fit(network, loader, criterion, optimizer):
    model = DistributedDataParallel(network)
    for inputs, targets in loader:
        try:
            loss = criterion(model(inputs), targets)
            loss.backward()  # expect: TL103
        except RuntimeError as error:
            if "out of memory" not in str(error):
                raise
            print("no memory for this batch")
            torch.cuda.empty_cache()
            optimizer.zero_grad()
            continue
        optimizer.step()


def careless(network, loader, criterion, optimizer):
    model = DistributedDataParallel(network)
    for inputs, targets in loader:
        try:
            criterion(model(inputs), targets).backward()  # expect: TL103
            optimizer.step()
            optimizer.zero_grad()
        except Exception:
            print("next")


def behind_what_all_run(network, loader, criterion, folder):
    """What stands before the pass in the `try` is run by the rank that fails, too."""
    model = DistributedDataParallel(network)
    for inputs, targets in loader:
        try:
            dist.barrier()
            loss = criterion(model(inputs), targets)
            loss.backward()  # expect: TL103
            dist.all_reduce(loss)
        except Exception:
            print("no loss", folder)


def read_by_one(path):
    """What only one rank reads fails for it alone."""
    box = [None]
    if dist.get_rank() == 0:
        try:
            box[0] = torch.load(path)
        except FileNotFoundError:
            return None
    dist.broadcast_object_list(box, src=0)  # expect: TL103
    return box[0]
