"""Passes of a model that all ranks train, run by some of them."""

import deepspeed
import horovod.torch as hvd
import torch
import torch.distributed as dist
import torch.nn.functional as F
import torchmetrics
from accelerate import Accelerator
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.nn.parallel import DistributedDataParallel


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 3, 3)
        self.norm = nn.BatchNorm2d(3)

    def forward(self, x):
        return self.norm(self.conv(x))


def first_batch_by_one(net, batch, rank):
    model = DistributedDataParallel(net.cuda(), device_ids=[rank])
    if rank == 0:
        F.mse_loss(model(batch), batch).backward()  # expect: TL107


def validated_by_one(net, batches):
    model = FSDP(net)
    model.eval()
    if dist.get_rank() == 0:
        with torch.no_grad():
            for batch in batches:
                print(model(batch).mean())  # expect: TL107


def generated_by_one(net, prompt, rank):
    model = FSDP(net)
    if rank != 0:
        return None
    return model.generate(prompt)  # expect: TL107


def buffers_with_gradients(batch, rank):
    model = DistributedDataParallel(Block().cuda())
    if rank == 0:
        print(model(batch).shape)  # expect: TL107


def buffers_before_a_barrier(batches, rank):
    model = DistributedDataParallel(Block().cuda())
    model.eval()
    if rank == 0:
        with torch.no_grad():
            for batch in batches:
                print(model(batch).mean())  # expect: TL107
    dist.barrier()


def engine(args, net, batches):
    model, _, _, _ = deepspeed.initialize(args=args, model=net)
    for batch in batches:
        loss = model(batch)
        if model.global_rank != 0:
            continue
        model.backward(loss)  # expect: TL107
        model.step()


def prepared(net, optimizer, batches):
    accelerator = Accelerator()
    net, optimizer = accelerator.prepare(net, optimizer)
    for batch in batches:
        loss = net(batch).loss
        if accelerator.is_main_process:
            accelerator.backward(loss)  # expect: TL107
            optimizer.step()
            optimizer.zero_grad()


def of_horovod(net, batch):
    optimizer = hvd.DistributedOptimizer(torch.optim.SGD(net.parameters(), lr=0.1))
    net(batch).backward()
    if hvd.rank() == 0:
        optimizer.step()  # expect: TL107


def metric(model, batches, rank):
    accuracy = torchmetrics.Accuracy(task="multiclass", num_classes=10)
    for batch in batches:
        accuracy.update(model(batch), batch)
    if rank == 0:
        print(accuracy.compute())  # expect: TL107


class Trainer:
    """The loss in an attribute, the backward pass in a method that one rank skips."""

    def __init__(self, net, distributed):
        self.net = net
        if distributed:
            self.net = DistributedDataParallel(net)
        self.rank = dist.get_rank()

    def run(self, batches, scaler):
        for number, batch in enumerate(batches):
            self.loss = F.l1_loss(self.net(batch), batch)
            if self.rank == 0 and number == 0:
                continue
            scaler.scale(self.loss).backward()  # expect: TL107
