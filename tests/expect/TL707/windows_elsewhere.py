"""The step of a window may stand in a helper; the batches may be counted by hand, or be taken by `next`."""


def apply(optimizer, index, every):
    if (index + 1) % every == 0:
        optimizer.step()  # expect: TL707
        optimizer.zero_grad()


def by_a_helper(model, criterion, loader, optimizer, every):
    optimizer.zero_grad()
    for index, (images, labels) in enumerate(loader):
        (criterion(model(images), labels) / every).backward()
        apply(optimizer, index, every)


def counted_by_hand(model, criterion, loader, optimizer, every):
    optimizer.zero_grad()
    done = 0
    for images, labels in loader:
        (criterion(model(images), labels) / every).backward()
        done += 1
        if done % every == 0:
            optimizer.step()  # expect: TL707
            optimizer.zero_grad()


def counted_over_epochs(model, criterion, loader, optimizer, every, epochs):
    optimizer.zero_grad()
    done = 0
    for _ in range(epochs):
        for images, labels in loader:
            (criterion(model(images), labels) / every).backward()
            done += 1
            if done % every == 0:
                optimizer.step()
                optimizer.zero_grad()


def taken_one_by_one(model, criterion, loader, optimizer, every, verbose):
    optimizer.zero_grad()
    batches = iter(enumerate(loader))
    while True:
        try:
            index, (images, labels) = next(batches)
        except StopIteration:
            break
        (criterion(model(images), labels) / every).backward()
        if verbose:
            if (index + 1) % every == 0:
                optimizer.step()  # expect: TL707
                optimizer.zero_grad()
        elif (index + 1) % every == 0:
            optimizer.step()  # expect: TL707
            optimizer.zero_grad()


def begun_anew(model, criterion, loader, optimizer, every, steps):
    optimizer.zero_grad()
    batches = iter(loader)
    for index in range(steps):
        try:
            images, labels = next(batches)
        except StopIteration:
            batches = iter(loader)
            images, labels = next(batches)
        (criterion(model(images), labels) / every).backward()
        if (index + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()


def the_last_one_too(model, criterion, loader, optimizer, every):
    optimizer.zero_grad()
    for index, (images, labels) in enumerate(loader):
        (criterion(model(images), labels) / every).backward()
        if (index + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()
        elif index + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


def is_full(number, window):
    return (number + 1) % window == 0


def goes_on_unless_full(model, loader, optimizer, window):
    for number, batch in enumerate(loader):
        (model(batch).mean() / window).backward()
        if not is_full(number, window):
            continue
        optimizer.step()  # expect: TL707
        optimizer.zero_grad()


def goes_on_by_the_rest(model, loader, optimizer, window):
    for number, batch in enumerate(loader, 1):
        (model(batch).mean() / window).backward()
        rest = number % window
        if rest:
            continue
        optimizer.step()  # expect: TL707
        optimizer.zero_grad()


class StepsAtBatchEnd:
    def __init__(self, optimizer, window):
        self.optimizer, self.window = optimizer, window

    def on_batch_end(self, number):
        if (number + 1) % self.window:
            return
        self.optimizer.step()  # expect: TL707
        self.optimizer.zero_grad()


def by_a_hook(model, loader, make):
    hook = StepsAtBatchEnd(make(model.parameters()), 4)
    for number, batch in enumerate(loader):
        (model(batch).mean() / 4).backward()
        hook.on_batch_end(number)


def goes_on_unless_last(model, loader, optimizer, window):
    for number, batch in enumerate(loader):
        (model(batch).mean() / window).backward()
        if (number + 1) % window and number + 1 < len(loader):
            continue
        optimizer.step()
        optimizer.zero_grad()
