"""One epoch."""


def train_one_epoch(model, criterion, loader, optimizer):
    model.train()
    for samples, targets in loader:
        loss = criterion(model(samples), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
