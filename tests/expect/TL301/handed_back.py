"""The list is kept by an object, or handed through a function, on the way to where it is filled."""


class History:
    def __init__(self, values):
        self.kept = values

    @property
    def values(self):
        return self.kept

    def of(self, name):
        return self.kept


def train(model, loader, optimizer, criterion):
    losses, numbers = [], []
    history, other = History(losses), History(numbers)
    for images, labels in loader:
        loss = criterion(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.values.append(loss)  # expect: TL301
        history.of("train").append(loss)  # expect: TL301
        history.values.append(loss.item())
        other.values.append(loss.detach())
    return losses, numbers


def train_and_report(model, loader, optimizer, criterion, report):
    losses = []
    history = History(losses)
    for images, labels in loader:
        loss = criterion(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.values.append(loss)
        report(sum(losses) / len(losses))
        losses.clear()
