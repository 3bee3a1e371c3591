"""A function returns the sum of two things that it is given."""


def added(total, loss, count):
    return total + loss * count


def number_added(total, loss, count):
    return total + loss.item() * count


def smoothed(old, new):
    return 0.9 * old + 0.1 * new


def one_epoch(model, loader, optimizer, criterion):
    total, number = 0.0, 0.0
    for images, labels in loader:
        loss = criterion(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total = added(total, loss, len(labels))  # expect: TL302
        number = number_added(number, loss, len(labels))
        again = added(0.0, loss, len(labels))
        print(again)
    return total, number
