"""One update, whatever computed the loss."""


def update(optimizer, loss):
    optimizer.zero_grad()
    loss.backward()  # expect: TL405
    optimizer.step()


def whole_step(model, criterion, optimizer, batch):
    inputs, targets = batch
    loss = criterion(model(inputs), targets)
    update(optimizer, loss)
    return loss.item()
