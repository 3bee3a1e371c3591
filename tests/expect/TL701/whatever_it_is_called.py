"""Names of functions, parameters and loops say nothing of who empties the gradients."""

import torch


def domain_step(model, batch, adversary):
    """A domain, not a step of an optimizer."""
    return (model(batch) - adversary(batch)).pow(2).mean()


def load_and_step(stream, clock):
    clock.tick()
    return next(stream)


def adapt(model, adversary, optimizer, loader):
    for batch in loader:
        loss = domain_step(model, batch, adversary)
        loss.backward()
        optimizer.step()  # expect: TL701


def streamed(model, optimizer, stream, clock, count):
    for _ in range(count):
        batch = load_and_step(stream, clock)
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()  # expect: TL701


def reported(model, optimizer, loader, trainer, hook_name, events):
    """Who reports is called a trainer, and gets numbers."""
    for number, batch in enumerate(loader):
        loss = model(batch).mean()
        loss.backward()
        optimizer.step()  # expect: TL701
        trainer.log_step(number, loss.item())
        events[hook_name].append(number)


def test_set(model, optimizer, test_loader, val_batches):
    """Test-time adaptation trains on what is called test and val."""
    model.train()
    for test_batch, val_batch in zip(test_loader, val_batches):
        val_loss = model(test_batch).softmax(1).log().mean() + model(val_batch).mean()  # expect: TL411
        val_loss.backward()
        optimizer.step()  # expect: TL701


def zero_shot(model, optimizer, loader, zero_one):
    for batch in loader:
        loss = zero_one(model(batch), 1)
        loss.backward()
        optimizer.step()  # expect: TL701
