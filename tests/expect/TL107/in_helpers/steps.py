def warm_up(model, batch, criterion):
    loss = criterion(model(batch), batch)
    loss.backward()
    return loss.item()


def epoch(model, batches, criterion, optimizer):
    for batch in batches:
        optimizer.zero_grad()
        warm_up(model, batch, criterion)
        optimizer.step()
