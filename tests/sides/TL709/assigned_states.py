"""Methods that put new parameters in the place of the old ones, and methods that keep them."""

import torch


def assigned(model, loader, state):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.load_state_dict(state, assign=True)  # expect: TL709
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def copied(model, loader, state):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.load_state_dict(state)
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def copied_as_it_says(model, loader, state):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.load_state_dict(state, assign=False)
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def perhaps_assigned(model, loader, state, assign):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.load_state_dict(state, assign=assign)
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def assigned_before(model, loader, state):
    model.load_state_dict(state, assign=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def assigned_to_another(model, teacher, loader, state):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    teacher.load_state_dict(state, assign=True)
    for x in loader:
        optimizer.zero_grad()
        (model(x) - teacher(x)).mean().backward()
        optimizer.step()


def assigned_behind_the_training(model, loader, state):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()
    model.load_state_dict(state, assign=True)


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters())

    def fit(self, loader, state):
        self.model.load_state_dict(state, assign=True)  # expect: TL709
        for x in loader:
            self.optimizer.zero_grad()
            self.model(x).mean().backward()
            self.optimizer.step()
