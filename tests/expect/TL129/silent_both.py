"""As in timm (a function around both passes), Transformer-XL (the iteration in a helper), Jasper (a variable), fairseq and edm."""

import contextlib

import torch
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP


def train(make, loader, window):
    model = DDP(make())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def forward(x, y):
        return F.cross_entropy(model(x), y) / window

    def backward(loss, last):
        loss.backward()
        if last:
            optimizer.step()
            optimizer.zero_grad()

    for number, (x, y) in enumerate(loader):
        last = (number + 1) % window == 0
        if not last:
            with model.no_sync():
                loss = forward(x, y)
                backward(loss, last)
        else:
            loss = forward(x, y)
            backward(loss, last)


def iteration(model, x, y, scaler):
    loss = F.cross_entropy(model(x), y)
    scaler.scale(loss).backward()
    return loss.detach()


def chunks(make, loader, scaler):
    model = DDP(make())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for parts in loader:
        optimizer.zero_grad()
        for i, (x, y) in enumerate(parts):
            if i < len(parts) - 1 and isinstance(model, DDP):
                with model.no_sync():
                    iteration(model, x, y, scaler)
            else:
                iteration(model, x, y, scaler)
        scaler.step(optimizer)
        scaler.update()


def by_a_variable(make, loader, window):
    model = DDP(make())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for number, (x, y) in enumerate(loader):
        if (number + 1) % window:
            context = model.no_sync()
        else:
            context = contextlib.nullcontext()
        with context:
            with torch.autocast("cuda", dtype=torch.bfloat16):
                loss = F.cross_entropy(model(x), y) / window
            loss.backward()
        if (number + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()


def generator(make, critic, loader):
    net, judge = DDP(make()), DDP(critic)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for z in loader:
        optimizer.zero_grad()
        score = -judge(net(z)).mean()
        score.backward()
        optimizer.step()
