"""What is compiled in each round of a training loop, with what options."""

import torch

MODES = ("default", "max-autotune")


def step(fast, batch, optimizer):
    fast(batch).mean().backward()
    optimizer.step()
    optimizer.zero_grad()


def by_round(model, loader, optimizer):
    for number, batch in enumerate(loader):
        fast = torch.compile(model, dynamic=number > 100)  # expect: TL564
        fast(batch).mean().backward()
        optimizer.step()
        optimizer.zero_grad()


def by_counter(model, loader, optimizer):
    number = 0
    for batch in loader:
        fast = torch.compile(model, dynamic=number > 100)  # expect: TL564
        fast(batch).mean().backward()
        optimizer.step()
        optimizer.zero_grad()
        number = number + 1


def by_outer_counter(model, loader, optimizer, epochs):
    """It changes with the round of a loop around."""
    for epoch in range(epochs):
        for batch in loader:
            fast = torch.compile(model, dynamic=epoch > 3)  # expect: TL564
            fast(batch).mean().backward()
            optimizer.step()
            optimizer.zero_grad()


def by_setting(model, loader, optimizer, dynamic):
    for batch in loader:
        fast = torch.compile(model, dynamic=dynamic)
        fast(batch).mean().backward()
        optimizer.step()
        optimizer.zero_grad()


def by_lambda(model, loader, optimizer):
    for batch in loader:
        fast = torch.compile(model, backend=lambda graph, inputs: graph.forward)  # expect: TL564
        fast(batch).mean().backward()
        optimizer.step()
        optimizer.zero_grad()


def by_function(model, loader, optimizer):
    def backend(graph, inputs):
        return graph.forward

    for batch in loader:
        fast = torch.compile(model, backend=backend)
        fast(batch).mean().backward()
        optimizer.step()
        optimizer.zero_grad()


def by_name(model, loader, optimizer):
    for batch in loader:
        fast = torch.compile(model, backend="inductor")
        fast(batch).mean().backward()
        optimizer.step()
        optimizer.zero_grad()


def resets(model, loader, optimizer):
    fast = torch.compile(model)
    for batch in loader:
        torch._dynamo.reset()  # expect: TL564
        fast(batch).mean().backward()
        optimizer.step()
        optimizer.zero_grad()


def resets_before_it_compiles(models, loader, optimizer):
    """Each round compiles its own model, and begins anew."""
    for batch in loader:
        torch._dynamo.reset()
        fast = torch.compile(models[0])
        fast(batch).mean().backward()
        optimizer.step()
        optimizer.zero_grad()


def resets_outside(model, loader, optimizer):
    torch._dynamo.reset()
    fast = torch.compile(model)
    for batch in loader:
        fast(batch).mean().backward()
        optimizer.step()
        optimizer.zero_grad()


def resets_in_an_inner_loop(model, loader, optimizer, parts):
    fast = torch.compile(model)
    for batch in loader:
        for part in parts:
            torch._dynamo.reset()  # expect: TL564
            fast(part).mean().backward()
            optimizer.step()
            optimizer.zero_grad()


def a_few_rounds(model, batch, optimizer):
    """Over what is written down: a few rounds, for each its own mode."""
    for mode in ("default", "max-autotune"):
        fast = torch.compile(model, mode=mode)
        fast(batch).mean().backward()
        optimizer.step()
        optimizer.zero_grad()


def without_training(model, batch, modes):
    for mode in modes:
        fast = torch.compile(model, mode=mode)
        fast(batch)


def other_reset(model, loader, optimizer, meter):
    fast = torch.compile(model)
    for batch in loader:
        meter.reset()
        fast(batch).mean().backward()
        optimizer.step()
        optimizer.zero_grad()
