"""How often the loop around runs, and whether the statement that keeps the loss runs in all of its rounds."""

import torch.nn.functional as F


def few_rounds(model, batches, optimizer):
    losses = []
    for _ in range(5):
        x, y = next(batches)
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss)
    return losses


def many_rounds(model, batches, optimizer):
    losses = []
    for _ in range(500):
        x, y = next(batches)
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss)  # expect: TL301
    return losses


def few_rounds_by_their_step(model, batches, optimizer):
    losses = []
    for _ in range(0, 100, 20):
        x, y = next(batches)
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss)
    return losses


def many_rounds_by_their_step(model, batches, optimizer):
    losses = []
    for _ in range(0, 100, 2):
        x, y = next(batches)
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss)  # expect: TL301
    return losses


def rounds_up_to_a_setting(model, batches, optimizer, steps):
    losses = []
    for _ in range(0, steps, 5):
        x, y = next(batches)
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss)  # expect: TL301
    return losses


def in_the_first_round(model, loader, optimizer):
    losses = []
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if i == 0:
            losses.append(loss)
    return losses


def in_every_tenth_round(model, loader, optimizer):
    losses = []
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if i % 10 == 0:
            losses.append(loss)  # expect: TL301
    return losses


def behind_the_first_rounds(model, loader, optimizer):
    losses = []
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if i > 0:
            losses.append(loss)  # expect: TL301
    return losses


def in_all_rounds_of_one_phase(model, loader, optimizer, phase):
    losses = []
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if phase == "train":
            losses.append(loss)  # expect: TL301
    return losses


def in_one_epoch_of_two(model, loader, optimizer, last):
    losses = []
    for epoch in range(100):
        for x, y in loader:
            loss = F.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if epoch == last:
                losses.append(loss)  # expect: TL301
    return losses


def parts_of_one_step(model, loader, optimizer, criteria):
    for x, y in loader:
        losses = []
        optimizer.zero_grad()
        for criterion in criteria:
            loss = criterion(model(x), y)
            loss.backward()
            losses.append(loss)
        optimizer.step()
        print(sum(losses).item())


def emptied_in_every_round(model, loader, optimizer, report):
    losses = []
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss)
        if i % 100 == 0:
            report(losses)
            losses.clear()


def emptied_in_the_epoch(model, loader, optimizer, report):
    losses = []
    for _ in range(100):
        for x, y in loader:
            loss = F.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss)  # expect: TL301
        report(losses)
        losses.clear()


def bound_anew_in_every_round(model, loader, optimizer, report):
    losses = []
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss)
        if i % 100 == 0:
            report(losses)
            losses = []


def cut_to_its_end(model, loader, optimizer):
    losses = []
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss)
        losses = losses[-20:]
    return losses


def another_list_is_emptied(model, loader, optimizer):
    losses, seen = [], []
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss)  # expect: TL301
        seen.append(len(y))
        if len(seen) > 10:
            seen.clear()
    return losses


def tested_by_its_last_item(model, loader, optimizer, writer):
    losses = []
    for x, y in loader:
        losses.append(F.cross_entropy(model(x), y))  # expect: TL301
        optimizer.zero_grad()
        losses[-1].backward()
        optimizer.step()
        writer.add_scalar("loss", losses[-1].item())
    return losses


def taken_from_its_front(model, loader, optimizer):
    losses = []
    for x, y in loader:
        losses.append(F.cross_entropy(model(x), y))
        optimizer.zero_grad()
        losses[0].backward()
        optimizer.step()
        losses.pop(0)
    return losses
