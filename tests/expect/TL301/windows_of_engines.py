"""An engine is told of each micro-batch and steps when its window is full: what is collected in a window is gone with the step."""

import deepspeed


def backward_of(engine, loss):
    engine.backward(loss)


def one_step(engine, batches, pieces):
    losses = []
    for _ in range(pieces):
        loss = engine(next(batches))
        losses.append(loss)
        backward_of(engine, loss)
        engine.step()
    return sum(each.item() for each in losses) / pieces


def train(model, config, loader, steps, pieces):
    engine, _, _, _ = deepspeed.initialize(model=model, config=config)
    batches = iter(loader)
    for _ in range(steps):
        print(one_step(engine, batches, pieces))


def one_epoch(engine, loader):
    losses = []
    for batch in loader:
        loss = engine(batch)
        losses.append(loss)  # expect: TL301
        engine.backward(loss)
        engine.step()
    return sum(each.item() for each in losses)


def epochs(model, config, loader, rounds):
    engine, _, _, _ = deepspeed.initialize(model=model, config=config)
    for _ in range(rounds):
        one_epoch(engine, loader)


def a_run(model, config, batches, steps):
    engine, _, _, _ = deepspeed.initialize(model=model, config=config)
    losses = []
    for _ in range(steps):
        loss = engine(next(batches))
        losses.append(loss)  # expect: TL301
        engine.backward(loss)
        engine.step()
    return losses


def one_step_of_an_optimizer(model, optimizer, batches, steps):
    losses = []
    for _ in range(steps):
        loss = model(next(batches)).mean()
        losses.append(loss)  # expect: TL301
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return losses


def rounds_of_it(model, optimizer, batches, steps, rounds):
    for _ in range(rounds):
        one_step_of_an_optimizer(model, optimizer, batches, steps)
