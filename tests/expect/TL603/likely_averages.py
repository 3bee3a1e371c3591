"""Averages of weights: a class of the project, a copy that a function updates, those of libraries; and what is saved of them."""

from copy import deepcopy

import torch
from torch.optim.swa_utils import AveragedModel


class Average:
    def __init__(self, model, decay):
        self.module = deepcopy(model).eval()
        self.decay = decay

    def _mix(self, model, mixed):
        with torch.no_grad():
            for own, other in zip(self.module.state_dict().values(), model.state_dict().values()):
                own.copy_(mixed(own, other))

    def update(self, model):
        self._mix(model, lambda own, other: self.decay * own + (1 - self.decay) * other)


class Holder:
    """It is handed the average: who hands it over may save it."""

    def __init__(self, source, target):
        self.source = source
        self.target = target

    @torch.no_grad()
    def update(self):
        for own, other in zip(self.target.parameters(), self.source.parameters()):
            own.lerp_(other, 0.001)


def mix(target, source, decay):
    with torch.no_grad():
        for own, other in zip(target.parameters(), source.parameters()):
            own.data.mul_(decay).add_(other.data, alpha=1 - decay)


def restored(model, optimizer, path):
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])


def by_class(model, loader, path):
    optimizer = torch.optim.Adam(model.parameters())
    average = Average(model, 0.999)
    restored(model, optimizer, path)
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        average.update(model)
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, path)  # expect-likely: TL603


def by_function(model, loader, path):
    optimizer = torch.optim.Adam(model.parameters())
    average = deepcopy(model)
    restored(model, optimizer, path)
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        mix(average, model, 0.99)
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, path)  # expect-likely: TL603


def of_a_library(model, loader, path):
    optimizer = torch.optim.Adam(model.parameters())
    average = AveragedModel(model)
    restored(model, optimizer, path)
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        average.update_parameters(model)
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, path)  # expect-likely: TL603


def saved(model, loader, path):
    optimizer = torch.optim.Adam(model.parameters())
    average = AveragedModel(model)
    other = Average(model, 0.999)
    target = deepcopy(model)
    holder = Holder(model, target)
    restored(model, optimizer, path)
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        average.update_parameters(model)
        other.update(model)
        holder.update()
    torch.save(
        {
            "model": model.state_dict(),
            "optimizer": optimizer.state_dict(),
            "average": average.module.state_dict(),
            "other": state_of(other),
            "target": target.state_dict(),
        },
        path,
    )


class Student(torch.nn.Module):
    """The average is a part of the model, which is saved."""

    def __init__(self, encoder):
        super().__init__()
        self.online = encoder
        self.target = deepcopy(encoder)

    @torch.no_grad()
    def update_target(self):
        for own, other in zip(self.target.parameters(), self.online.parameters()):
            own.data.mul_(0.99).add_(other.data, alpha=0.01)


def part_of_the_model(encoder, loader, path):
    model = Student(encoder)
    optimizer = torch.optim.Adam(model.parameters())
    restored(model, optimizer, path)
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        model.update_target()
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, path)
