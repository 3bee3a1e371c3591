"""A model in a wrapper (DDP, FSDP, torch.compile), made here or elsewhere: the wrapper and what it is over have one mode."""

import torch
from torch import nn
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 1)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        return self.drop(self.layer(x))


def with_ddp(loader, held_out, rank):
    net = DDP(Net().to(rank), device_ids=[rank])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    net.train()
    for epoch in range(10):
        for batch in loader:
            optimizer.zero_grad()
            net(batch).sum().backward()
            optimizer.step()
        net.eval()  # expect: TL705
        with torch.no_grad():
            for batch in held_out:
                net(batch)


def compiled(loader, held_out):
    net = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.1), nn.Linear(8, 1)).cuda()
    net = torch.compile(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(10):
        for batch in loader:
            optimizer.zero_grad()
            net(batch).sum().backward()
            optimizer.step()
        net.eval()  # expect: TL705
        with torch.no_grad():
            for batch in held_out:
                net(batch)


def as_asked(loader, held_out, args):
    net = Net()
    if args.compile:
        net = torch.compile(net)
    if args.distributed:
        net = nn.parallel.DistributedDataParallel(net, device_ids=[args.gpu])
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(10):
        for batch in loader:
            optimizer.zero_grad()
            net(batch).sum().backward()
            optimizer.step()
        net.eval()  # expect: TL705
        with torch.no_grad():
            for batch in held_out:
                net(batch)


def train_sharded(model, loader, optimizer):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).sum().backward()
        optimizer.step()


def validate_sharded(model, held_out):
    model.eval()  # expect: TL705
    with torch.no_grad():
        for batch in held_out:
            model(batch)


def sharded(loader, held_out, rank, policy):
    model = FSDP(Net().to(rank), auto_wrap_policy=policy, device_id=rank)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(10):
        train_sharded(model, loader, optimizer)
        validate_sharded(model, held_out)


def sharded_in_place(loader, held_out, rank):
    model = Net().to(rank)
    fully_shard(model)
    model.train()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(10):
        train_sharded(model, loader, optimizer)
        model.eval()  # expect: TL705
        with torch.no_grad():
            for batch in held_out:
                model(batch)


def evaluate_inner(model, held_out):
    model.eval()  # expect: TL705
    with torch.no_grad():
        for batch in held_out:
            model(batch)


def unwrapped(loader, held_out, rank):
    model = Net().to(rank)
    ddp = DDP(model, device_ids=[rank])
    optimizer = torch.optim.SGD(ddp.parameters(), lr=0.1)
    for epoch in range(10):
        for batch in loader:
            optimizer.zero_grad()
            ddp(batch).sum().backward()
            optimizer.step()
        evaluate_inner(model, held_out)


class Trainer:
    def __init__(self, model, loader, held_out, rank):
        self.model = DDP(model.to(rank), device_ids=[rank])
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.loader = loader
        self.held_out = held_out

    def evaluate(self):
        self.model.eval()  # expect: TL705
        with torch.no_grad():
            for batch in self.held_out:
                self.model(batch)

    def fit(self):
        for epoch in range(10):
            for batch in self.loader:
                self.optimizer.zero_grad()
                self.model(batch).sum().backward()
                self.optimizer.step()
            self.evaluate()


def main(loader, held_out, rank):
    Trainer(Net(), loader, held_out, rank).fit()
