"""The step stands in an inner loop over optimizers or callbacks, or in one that has a single turn; nobody empties the gradients."""

import torch


def several(model, head, criterion, loader):
    optimizers = [torch.optim.SGD(model.parameters(), lr=0.1), torch.optim.Adam(head.parameters())]
    for images, labels in loader:
        loss = criterion(head(model(images)), labels)
        loss.backward()
        for optimizer in optimizers:
            optimizer.step()  # expect: TL701


class Agents:
    """Each agent has its optimizer: they are stepped one after the other."""

    def __init__(self, agents, lr):
        self.agents = agents
        self.optimizers = {agent.name: torch.optim.Adam(agent.parameters(), lr=lr) for agent in agents}

    def fit(self, loader):
        for batch in loader:
            loss = sum(agent(batch).mean() for agent in self.agents)
            loss.backward()
            for agent in self.agents:
                self.optimizers[agent.name].step()  # expect: TL701


def tried_once(model, criterion, optimizer, loader):
    """A loop of one turn, out of which one can break."""
    for images, labels in loader:
        for _ in range(1):
            loss = criterion(model(images), labels)
            if not torch.isfinite(loss):
                break
            loss.backward()
            optimizer.step()  # expect: TL701


def until_it_fits(model, criterion, optimizer, loader):
    """The inner loop leaves behind the step."""
    for images, labels in loader:
        while True:
            loss = criterion(model(images), labels)
            loss.backward()
            optimizer.step()  # expect: TL701
            break


def with_callbacks(model, criterion, optimizer, loader, callbacks):
    for images, labels in loader:
        loss = criterion(model(images), labels)
        loss.backward()
        optimizer.step()  # expect: TL701
        values = [callback.name for callback in callbacks]
        print(values)
