"""One epoch."""


def one_epoch(model, loader, optimizer, scheduler):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        scheduler.step()


def one_epoch_without(model, loader, optimizer):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
