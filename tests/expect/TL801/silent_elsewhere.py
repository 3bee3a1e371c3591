"""Loops that do not train on a GPU, or where nothing runs behind a step."""

import torch


def on_processor(model, optimizer, loader):
    model.to("cpu")
    for x in loader:
        optimizer.zero_grad()
        loss = model(x).mean()
        loss.backward()
        optimizer.step()
        print(loss.item())


def whole_graph(model, optimizer, graph, epochs):
    model.cuda()
    for epoch in range(epochs):
        optimizer.zero_grad()
        loss = model(graph.cuda())
        loss.backward()
        optimizer.step()
        print(f"Epoch {epoch}: {loss.item()}")


@torch.no_grad()
def validate(model, loader):
    model.cuda().eval()
    total = 0
    for x in loader:
        total += model(x.cuda()).sum().item()
    return total


def compared(ours, theirs, shapes):
    for shape in shapes:
        x = torch.randn(shape, device="cuda", requires_grad=True)
        a, b = ours.model(x), theirs.model(x)
        a.sum().backward()
        print((a - b).abs().max().item())
