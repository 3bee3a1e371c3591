"""Models in float16 that nobody trains so."""

import torch
from apex.fp16_utils import FP16_Optimizer


def frozen_base(base, adapter, criterion, loader):
    base.half().requires_grad_(False)
    optimizer = torch.optim.AdamW(adapter.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        criterion(adapter(base(x.half()).float()), y).backward()
        optimizer.step()


def masters(model, criterion, loader):
    model = model.cuda().half()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer = FP16_Optimizer(optimizer, dynamic_loss_scale=True)
    for x, y in loader:
        optimizer.zero_grad()
        optimizer.backward(criterion(model(x.half()), y))
        optimizer.step()


def validated(model, criterion, optimizer, train, val):
    for x, y in train:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
    model.half().eval()
    scores = [model(x.half()) for x, _ in val]
    model.float().train()
    return scores


def in_bfloat16(model, criterion, loader):
    model.to(torch.bfloat16)
    optimizer = torch.optim.AdamW(model.parameters())
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
