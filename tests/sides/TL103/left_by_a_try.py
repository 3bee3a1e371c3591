"""What a ``try`` leaves behind tells whether the pass in its body came to its end, on this rank."""

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def done_or_not(network, loader):
    model = DistributedDataParallel(network)
    for batch in loader:
        try:
            model(batch).mean().backward()  # expect: TL103
            done = True
        except torch.cuda.OutOfMemoryError:
            done = False
        if done:
            dist.barrier()  # expect: TL103
        print(batch)


def done_for_all(network, loader):
    model = DistributedDataParallel(network)
    for batch in loader:
        done = torch.ones(1)
        try:
            model(batch).mean().item()
        except ValueError:
            done = torch.zeros(1)
        dist.all_reduce(done)
        if done:
            dist.barrier()


def raised_again(network, loader):
    model = DistributedDataParallel(network)
    for batch in loader:
        try:
            model(batch).mean().backward()
        except torch.cuda.OutOfMemoryError:
            print("no memory")
            raise
        dist.barrier()


def skipped(network, loader):
    model = DistributedDataParallel(network)
    for batch in loader:
        try:
            model(batch).mean().backward()  # expect: TL103
        except torch.cuda.OutOfMemoryError:
            continue


def skipped_for_another_error(network, loader):
    model = DistributedDataParallel(network)
    for batch in loader:
        try:
            model(batch).mean().backward()
        except KeyboardInterrupt:
            break


def one_of_two_errors(network, loader):
    model = DistributedDataParallel(network)
    for batch in loader:
        try:
            model(batch).mean().backward()  # expect: TL103
        except KeyboardInterrupt:
            break
        except RuntimeError:
            continue


def nothing_trained(loader, show):
    for batch in loader:
        try:
            show(batch)
        except RuntimeError:
            continue
        dist.barrier()
