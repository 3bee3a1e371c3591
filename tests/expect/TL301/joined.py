"""One tensor grows by what each iteration joins to it."""

import torch


def at_the_end(model, loader, optimizer):
    losses = torch.tensor([])
    for x in loader:
        loss = model(x)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses = torch.cat([losses, loss.unsqueeze(0)])  # expect: TL301
    return losses.mean()


def first_or_more(model, loader, optimizer):
    outputs = None
    for x in loader:
        out = model(x)
        out.sum().backward()
        optimizer.step()
        optimizer.zero_grad()
        outputs = out if outputs is None else torch.cat((outputs, out), dim=0)  # expect: TL301
    return outputs


class Trainer:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.seen = torch.zeros(0)

    def step(self, x):
        loss = self.model(x)
        loss.backward()
        self.optimizer.step()
        self.seen = torch.cat((loss.view(1), self.seen))  # expect: TL301


def detached(model, loader, optimizer):
    losses = torch.tensor([])
    for x in loader:
        loss = model(x)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses = torch.cat([losses, loss.detach().unsqueeze(0)])
    return losses


def of_one_loss(model, loader, optimizer):
    for x in loader:
        parts = torch.tensor([])
        for piece in x:
            parts = torch.cat([parts, model(piece)])
        parts.mean().backward()
        optimizer.step()
        optimizer.zero_grad()


def of_the_data(model, loader, optimizer):
    labels = torch.tensor([])
    for x, y in loader:
        loss = model(x, y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        labels = torch.cat([labels, y])
        with torch.no_grad():
            labels = torch.cat([labels, model(x, y)])
    return labels


def begun_anew(model, loader, optimizer):
    recent = torch.tensor([])
    for step, x in enumerate(loader):
        loss = model(x)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        recent = torch.cat([recent, loss.view(1)])
        if step % 50 == 0:
            print(recent.mean())
            recent = torch.tensor([])
