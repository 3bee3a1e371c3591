"""Somebody scales: a scaler of any import, a wrapper, a factor by hand, a parameter that holds one."""

import apex
import torch
import torch.nn.functional as F
from torch.cuda.amp import GradScaler, autocast
from torch.distributed.fsdp.sharded_grad_scaler import ShardedGradScaler


def reference_order(model, optimizer, loader):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()


def two_lines(model, optimizer, loader):
    keeper = ShardedGradScaler()
    for x, y in loader:
        with autocast():
            loss = F.cross_entropy(model(x), y)
        larger = keeper.scale(loss)
        larger.backward()
        keeper.step(optimizer)
        optimizer.zero_grad()
        keeper.update()


def switched_off_in_the_scaler(model, optimizer, loader, args):
    gs = GradScaler(enabled=args.half)
    for x, y in loader:
        with autocast(enabled=args.half):
            loss = F.cross_entropy(model(x), y) / args.every
        gs.scale(loss).backward()
        gs.step(optimizer)
        optimizer.zero_grad()
        gs.update()


def one_branch_each(model, optimizer, loader, half):
    gs = GradScaler() if half else None
    for x, y in loader:
        with autocast(enabled=half):
            loss = F.cross_entropy(model(x), y)
        if half:
            gs.scale(loss).backward()
            gs.step(optimizer)
            optimizer.zero_grad()
            gs.update()
        else:
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()


def passed_in(model, optimizer, loader, loss_scaler=None):
    for x, y in loader:
        with autocast():
            loss = F.cross_entropy(model(x), y)
        if loss_scaler:
            loss_scaler(loss, optimizer, parameters=model.parameters())
        else:
            loss.backward()
            optimizer.step()


def constant_by_hand(model, optimizer, loader):
    factor = 1024.0
    for x, y in loader:
        with autocast():
            loss = F.cross_entropy(model(x), y)
        (loss * factor).backward()
        for parameter in model.parameters():
            parameter.grad.div_(factor)
        optimizer.step()


def unknown_factor(model, optimizer, loader, state):
    for x, y in loader:
        with autocast():
            loss = F.cross_entropy(model(x), y)
        loss = loss * 2**state.exponent
        loss.backward()
        state.unscaled_step(optimizer)
        optimizer.step()


def clip_threshold_times_scale(model, optimizer, loader, limit):
    scaler = GradScaler()
    for x, y in loader:
        with autocast():
            loss = F.cross_entropy(model(x), y)
        scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), limit * scaler.get_scale())
        scaler.step(optimizer)
        optimizer.zero_grad()
        scaler.update()


def apex_scales(model, optimizer, loader):
    model, optimizer = apex.amp.initialize(model, optimizer, opt_level="O1")
    for x, y in loader:
        with autocast():
            loss = F.cross_entropy(model(x), y)
        with apex.amp.scale_loss(loss, optimizer) as bigger:
            bigger.backward()
        optimizer.step()
        optimizer.zero_grad()


class Plain:
    """The class derived from it overrides what differentiates."""

    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer

    def differentiate(self, loss):
        loss.backward()
        self.optimizer.step()

    def step(self, x, y):
        with torch.autocast("cuda"):
            loss = F.cross_entropy(self.model(x), y)
        self.differentiate(loss)


class Mixed(Plain):
    def __init__(self, model, optimizer):
        super().__init__(model, optimizer)
        self.grad_scaler = torch.amp.GradScaler("cuda")

    def differentiate(self, loss):
        self.grad_scaler.scale(loss).backward()
        self.grad_scaler.step(self.optimizer)
        self.grad_scaler.update()


class Hooked:
    """The backward pass stands in one method, the scaler in another."""

    def __init__(self, model, optimizer, mixed):
        self.model, self.optimizer = model, optimizer
        self.amp = GradScaler(enabled=mixed)

    def prepare(self, loss):
        return self.amp.scale(loss)

    def train(self, loader):
        for x, y in loader:
            with autocast():
                loss = F.cross_entropy(self.model(x), y)
            loss = self.prepare(loss)
            loss.backward()
            self.amp.step(self.optimizer)
            self.optimizer.zero_grad()
            self.amp.update()
