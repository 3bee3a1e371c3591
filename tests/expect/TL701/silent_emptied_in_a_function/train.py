"""A function sets each gradient to zero, in place."""


def forget(model):
    for parameter in model.parameters():
        parameter.grad.data.zero_()


def train(model, loader, optimizer):
    for batch in loader:
        model(batch).mean().backward()
        optimizer.step()
        forget(model)
