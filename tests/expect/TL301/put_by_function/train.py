"""A function puts what it is given into a list that it is given, too."""


def remember(history, value):
    history.append(value)


def remember_number(history, value):
    history.append(value.item())


def note(history, value, wanted):
    if wanted:
        remember(history, value)


def one_epoch(model, loader, optimizer, criterion, wanted):
    losses, numbers, noted = [], [], []
    for images, labels in loader:
        loss = criterion(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        remember(losses, loss)  # expect: TL301
        remember_number(numbers, loss)
        note(noted, loss, wanted)  # expect: TL301
    return losses, numbers, noted


def round_by_round(model, loader, optimizer, criterion):
    for images, labels in loader:
        losses = []
        loss = criterion(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        remember(losses, loss)
        print(losses)


def emptied(model, loader, optimizer, criterion):
    losses = []
    for images, labels in loader:
        loss = criterion(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        remember(losses, loss)
        if len(losses) > 10:
            losses.clear()
