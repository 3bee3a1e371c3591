"""Graphs in lists that live longer than the iteration."""

from collections import deque


def appended(model, loader, optimizer, criterion):
    losses = []
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss)  # expect: TL301
    return losses


def added_as_a_list(model, loader, optimizer, criterion):
    losses = []
    history = list()
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses += [loss]  # expect: TL301
        history = history + [loss.mean()]  # expect: TL301
    return losses, history


def with_other_things(model, loader, optimizer, criterion):
    records, pairs = [], deque()
    for step, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        records.append({"step": step, "loss": loss})  # expect: TL301
        pairs.append((step, loss))  # expect: TL301
        records.append({"step": step, "loss": loss.item()})
    return records, pairs


def per_name(generator, critic, loader, optimizers):
    history = {"generator": [], "critic": []}
    other = {}
    for real in loader:
        critic_loss = critic(generator(real)).mean() - critic(real).mean()
        optimizers[0].zero_grad()
        critic_loss.backward()
        optimizers[0].step()
        generator_loss = -critic(generator(real)).mean()
        optimizers[1].zero_grad()
        generator_loss.backward()
        optimizers[1].step()
        history["critic"].append(critic_loss)  # expect: TL301
        other.setdefault("generator", []).append(generator_loss)  # expect: TL301
    return history, other


def by_step(model, loader, optimizer, criterion):
    curve = {}
    for step, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        curve[step] = loss  # expect: TL301
    return curve


def whole_output(module, loader, optimizer):
    outputs = []
    for index, batch in enumerate(loader):
        output = module.training_step(batch, index)
        output["loss"].backward()
        optimizer.step()
        optimizer.zero_grad()
        outputs.append(output)  # expect: TL301
    return module.training_epoch_end(outputs)


def per_epoch(model, loader, optimizer, criterion, epochs):
    for _ in range(epochs):
        losses = []
        for x, y in loader:
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            losses.append(loss)  # expect: TL301
        print(sum(losses) / len(losses))


def prediction(model, loader, optimizer, criterion):
    predictions = []
    for x, y in loader:
        predicted = model(x)
        loss = criterion(predicted, y) + 0.1 * predicted.abs().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        predictions.append(loss + 0)  # expect: TL301
    return predictions


def one_step(model, optimizer, criterion, x, y):
    loss = criterion(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


def in_a_comprehension(model, loader, optimizer, criterion):
    losses = [one_step(model, optimizer, criterion, x, y) for x, y in loader]  # expect: TL301
    return sum(losses) / len(losses)


def numbers_in_a_comprehension(model, loader, optimizer, criterion):
    losses = [one_step(model, optimizer, criterion, x, y).item() for x, y in loader]
    return sum(losses) / len(losses)


def terms_in_a_comprehension(model, loader, optimizer, criterion):
    for views, y in loader:
        losses = [criterion(model(view), y) for view in views]
        optimizer.zero_grad()
        sum(losses).backward()
        optimizer.step()
