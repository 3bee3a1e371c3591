"""The same, under names that say nothing of it: the gradients are emptied, or may be."""

import torch


def fetch(model, batch):
    """Empties them first."""
    for weight in model.parameters():
        weight.grad = None
    return batch.cuda()


def adapt(model, optimizer, loader):
    for batch in loader:
        loss = model(fetch(model, batch)).mean()
        loss.backward()
        optimizer.step()


class Box:
    def __init__(self, tool):
        self.tool = tool

    def wipe(self):
        self.tool.zero_grad(set_to_none=True)


def boxed(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    box = Box(optimizer)
    for batch in loader:
        box.wipe()
        model(batch).mean().backward()
        optimizer.step()


def handed(model, loader, log):
    """What is called a log is handed the optimizer."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in loader:
        model(batch).mean().backward()
        optimizer.step()
        log(optimizer)


def handed_under_a_name(model, loader, look):
    tools = {"net": torch.optim.SGD(model.parameters(), lr=0.1)}
    for batch in loader:
        model(batch).mean().backward()
        tools["net"].step()
        look(what=tools)
