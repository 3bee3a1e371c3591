"""A scaler is made, saved, passed around; no loss ever meets it."""

import torch
from torch.cuda.amp import GradScaler, autocast


def made_and_saved(model, optimizer, loader, path):
    scaler = GradScaler()
    for x, y in loader:
        with autocast():  # expect: TL401
            loss = model(x, y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    torch.save({"model": model.state_dict(), "scaler": scaler.state_dict()}, path)


def passed_in_vain(model, optimizer, loader, scaler):
    for x, y in loader:
        with torch.autocast("cuda"):  # expect: TL401
            loss = model(x, y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def main(model, optimizer, loader):
    scaler = torch.amp.GradScaler("cuda")
    passed_in_vain(model, optimizer, loader, scaler)


class Run:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.scaler = GradScaler()

    def state(self):
        return {"scaler": self.scaler.state_dict()}

    def step(self, batch):
        with autocast():  # expect: TL401
            loss = self.model(batch)
        loss.backward()
        self.optimizer.step()


class UsedInAnother:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.scaler = GradScaler()

    def enlarge(self, loss):
        return self.scaler.scale(loss)

    def step(self, batch):
        with autocast():
            loss = self.model(batch)
        bigger = self.enlarge(loss)
        bigger.backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()


keeper = GradScaler()


def by_the_global_one(model, optimizer, loader):
    for x, y in loader:
        with autocast():
            loss = model(x, y)
        keeper.scale(loss).backward()
        keeper.step(optimizer)
        optimizer.zero_grad()
        keeper.update()


def apply(loss, optimizer, helper, half):
    if half:
        helper.scale(loss).backward()
        helper.step(optimizer)
        optimizer.zero_grad()
        helper.update()
    else:
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def by_a_function(model, optimizer, loader, half):
    helper = GradScaler(enabled=half)
    for x, y in loader:
        with autocast(enabled=half):
            loss = model(x, y)
        apply(loss, optimizer, helper, half)


def differentiated_elsewhere(loss, retain):
    loss.backward(retain_graph=retain)


def one_of_its_callers_scales(model, optimizer, loader):
    for x, y in loader:
        with autocast():
            loss = model(x, y)
        loss = keeper.scale(loss)
        differentiated_elsewhere(loss, False)
        keeper.step(optimizer)
        optimizer.zero_grad()
        keeper.update()
