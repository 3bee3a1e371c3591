"""Steps of optimizers and schedulers that some ranks make alone: nothing hangs, and the replicas drift apart."""

import torch
import torch.distributed as dist
from accelerate import Accelerator
from torch.distributed.fsdp import FullyShardedDataParallel
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler


def under_a_test(net, loader, criterion):
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        if dist.get_rank() == 0:
            optimizer.step()  # expect: TL107


def behind_a_way_out(net, loader, criterion):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    model = DDP(net)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        if dist.get_rank() != 0:
            continue
        optimizer.step()  # expect: TL107


def scheduled(net, loader, criterion):
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
        if dist.get_rank() == 0:
            print("step")
            scheduler.step()  # expect: TL107


def prepared(net, loader, criterion):
    accelerator = Accelerator()
    optimizer = torch.optim.AdamW(net.parameters())
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
    model, optimizer, loader, scheduler = accelerator.prepare(net, optimizer, loader, scheduler)
    for x, y in loader:
        optimizer.zero_grad()
        accelerator.backward(criterion(model(x), y))
        optimizer.step()
        if accelerator.is_main_process:
            scheduler.step()  # expect: TL107


def update(optimizer, scaler):
    scaler.step(optimizer)  # expect: TL107
    scaler.update()


def helped(net, loader, criterion, rank):
    model = DDP(net)
    scaler = torch.amp.GradScaler()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()
        if rank == 0:
            update(optimizer, scaler)


class Trainer:
    def __init__(self, net):
        self.model = DDP(net)
        self.optimizer = torch.optim.Adam(self.model.parameters())
        self.rank = dist.get_rank()

    def train(self, loader, criterion):
        for x, y in loader:
            self.optimizer.zero_grad()
            criterion(self.model(x), y).backward()
            if self.rank == 0:
                self.optimizer.step()  # expect: TL107


def own_loss(net, loader, criterion):
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        if torch.isfinite(loss):
            optimizer.step()  # expect: TL107


def plateau(net, loader, criterion, epochs):
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
    for _ in range(epochs):
        total = 0.0
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item()
        scheduler.step(total / len(loader))  # expect: TL107


# Gradients that are averaged by hand make replicas, too.
def averaged_by_hand(net, loader, criterion):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        criterion(net(x), y).backward()
        for parameter in net.parameters():
            dist.all_reduce(parameter.grad)
        if dist.get_rank() == 0:
            optimizer.step()  # expect: TL107


# A validation on a share of the data, and what the scheduler makes of it.
@torch.no_grad()
def evaluate(model, loader, criterion):
    total = 0.0
    for x, y in loader:
        total += criterion(model(x), y).item()
    return total / len(loader)


def told_of_a_share(net, train_set, val_set, criterion, epochs):
    model = DDP(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
    loader = DataLoader(train_set, sampler=DistributedSampler(train_set, shuffle=False))
    val_loader = DataLoader(val_set, sampler=DistributedSampler(val_set, shuffle=False))
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        model.eval()
        scheduler.step(evaluate(model, val_loader, criterion))  # expect: TL107
        model.train()


def sharded(net, loader, criterion):
    model = FullyShardedDataParallel(net)
    optimizer = torch.optim.AdamW(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        if dist.get_rank() == 0:
            optimizer.step()  # expect: TL107
