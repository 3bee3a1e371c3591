"""The gradients of the optimizers that an inner loop steps are emptied in the loop around it, and loops of one turn have no second."""

import torch


def several(model, head, criterion, loader):
    optimizers = [torch.optim.SGD(model.parameters(), lr=0.1), torch.optim.Adam(head.parameters())]
    for images, labels in loader:
        for optimizer in optimizers:
            optimizer.zero_grad()
        loss = criterion(head(model(images)), labels)
        loss.backward()
        for optimizer in optimizers:
            optimizer.step()


class Agents:
    def __init__(self, agents, lr):
        self.agents = agents
        self.optimizers = {agent.name: torch.optim.Adam(agent.parameters(), lr=lr) for agent in agents}

    def fit(self, loader):
        for batch in loader:
            for agent in self.agents:
                self.optimizers[agent.name].zero_grad()
            loss = sum(agent(batch).mean() for agent in self.agents)
            loss.backward()
            for agent in self.agents:
                self.optimizers[agent.name].step()


def only_one_batch(model, criterion, optimizer, loader):
    for images, labels in [next(iter(loader))]:
        loss = criterion(model(images), labels)
        loss.backward()
        optimizer.step()


def until_it_fits(model, criterion, optimizer, loader):
    for images, labels in loader:
        optimizer.zero_grad()
        while True:
            loss = criterion(model(images), labels)
            loss.backward()
            optimizer.step()
            break


def for_each_optimizer_its_own_pass(models, criterion, loader):
    optimizers = [torch.optim.SGD(model.parameters(), lr=0.1) for model in models]
    for images, labels in loader:
        for model, optimizer in zip(models, optimizers):
            optimizer.zero_grad()
            criterion(model(images), labels).backward()
            optimizer.step()


def called_back(model, criterion, optimizer, loader, callbacks):
    """Each callback is told of the batch: one of them may hold the optimizer."""
    for images, labels in loader:
        loss = criterion(model(images), labels)
        loss.backward()
        for callback in callbacks:
            callback.after_backward(loss)
        optimizer.step()
        for callback in callbacks:
            callback.after_step()
