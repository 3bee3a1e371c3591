"""Correct: all ranks run the pass, or what one rank runs is local."""

import copy

import torch
import torch.distributed as dist
from accelerate import Accelerator
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.nn.parallel import DataParallel
from torch.nn.parallel import DistributedDataParallel as DDP


class Normed(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm2d(3)


def one_reports(net, batches, optimizer, rank):
    model = DDP(net)
    for batch in batches:
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        if rank == 0:
            print(loss.item())


def evaluated_without_gradients(net, batches, rank):
    model = DDP(net)
    model.eval()
    if rank == 0:
        with torch.no_grad():
            print(sum(model(batch).sum() for batch in batches))
    dist.barrier()


@torch.no_grad()
def score(model, batches):
    model.eval()
    return sum(model(batch).sum() for batch in batches)


def buffers_between_two_passes(batches, optimizer, rank):
    model = DDP(Normed())
    for batch in batches:
        model(batch).sum().backward()
        optimizer.step()
        optimizer.zero_grad()
        if rank == 0:
            print(score(model, batches))


def the_plain_model(batches, rank):
    model = DDP(Normed())
    if rank == 0:
        print(score(model.module, batches))
        model.module(batches[0]).sum().backward()
    dist.barrier()


def an_averaged_copy(batches, rank):
    average = copy.deepcopy(Normed())
    model = DDP(Normed())
    model.train()
    if rank == 0:
        print(score(average, batches))
        average(batches[0]).mean().backward()


def unwrapped_by_the_library(net, optimizer, batch):
    accelerator = Accelerator()
    net, optimizer = accelerator.prepare(net, optimizer)
    if accelerator.is_main_process:
        accelerator.unwrap_model(net)(batch).sum().backward()


def prepared_and_evaluated(net, batch):
    accelerator = Accelerator()
    net = accelerator.prepare(net)
    if accelerator.is_main_process:
        with torch.no_grad():
            net(batch)


def accumulated(net, batches, rank):
    model = DDP(net)
    if rank == 0:
        with model.no_sync():
            model(batches[0]).sum().backward()


def threads(net, batch, rank):
    model = DataParallel(net)  # trainlint: ignore[TL116]
    if rank == 0:
        model(batch).sum().backward()


def another_loss(net, head, batch, rank):
    model = DDP(net)
    features = model(batch).detach()
    if rank == 0:
        head(features).sum().backward()


def not_wrapped_then(net, batch, rank):
    if rank == 0:
        net(batch).sum().backward()
    return DDP(net)


def sharded_by_all(net, batches, rank):
    model = FSDP(net)
    total = sum(model(batch).sum() for batch in batches)
    if rank == 0:
        print(total.item())


def in_one_process(net, batch, world_size):
    model = DDP(net) if world_size > 1 else net
    if world_size == 1:
        model(batch).sum().backward()


def an_optimizer(net, batch, rank):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    if rank == 0:
        net(batch).sum().backward()
        optimizer.step()
