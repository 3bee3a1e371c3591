"""A loop that says how often it runs, and that is often; one that does not say it; a short one in a long one."""


def often(model, optimizer, criterion, x, y):
    losses = []
    for _ in range(1000):
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss)  # expect: TL301
    return losses


def as_often_as_told(model, optimizer, criterion, x, y, steps):
    losses = []
    for _ in range(2, steps):
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss)  # expect: TL301
    return losses


def twice_for_each_batch(model, optimizer, criterion, loader):
    losses = []
    for x, y in loader:
        for _ in range(2):
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            losses.append(loss)  # expect: TL301
    return losses
