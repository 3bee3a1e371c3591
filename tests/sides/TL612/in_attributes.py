"""The number in attributes: put there by several, counted up by some."""

import torch


class Keeper:
    def __init__(self, model, optimizer, path):
        self.model, self.optimizer, self.path = model, optimizer, path
        self.begin_at = 0
        self.later_at = 0
        self.done = 0

    def one(self, loader):
        for batch in loader:
            self.optimizer.zero_grad()
            self.model(batch).mean().backward()
            self.optimizer.step()

    def restore(self):
        state = torch.load(self.path, map_location="cpu")
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.begin_at = state["begin"]
        self.later_at = state["later"]
        self.later_at += 1

    def from_attribute(self, loader, epochs):
        for epoch in range(self.begin_at, epochs):  # expect: TL612
            self.one(loader)
            self.write({"begin": epoch})

    def from_counted_attribute(self, loader, epochs):
        for epoch in range(self.later_at, epochs):
            self.one(loader)
            self.write({"later": epoch})

    def write(self, numbers):
        torch.save({"model": self.model.state_dict(), "optimizer": self.optimizer.state_dict(), **numbers}, self.path)


def restored(path, model, optimizer):
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    return state["returned"]


def from_a_result(path, model, optimizer, loader, epochs):
    for epoch in range(restored(path, model, optimizer), epochs):  # expect: TL612
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "returned": epoch}, path)


def from_a_result_and_one(path, model, optimizer, loader, epochs):
    first = restored(path, model, optimizer) + 1 if path else 0
    for epoch in range(first, epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "again": epoch}, path)


def run(model, optimizer, loader, first, epochs, path):
    for epoch in range(first, epochs):  # expect: TL612
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "argument": epoch}, path)


def calls_it(model, optimizer, loader, epochs, path):
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    run(model, optimizer, loader, state["argument"], epochs, path)
