"""One pass over a loader."""


def one_pass(model, loader, optimizer):
    for x in loader:
        model(x).sum().backward()
        optimizer.step()
        optimizer.zero_grad()
