"""A loss is added to a running total after its backward pass, written in the ways people write it."""

import torch
import torch.nn.functional as F


def added_to_a_name(model, loader, optimizer):
    epoch_loss = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        epoch_loss += loss  # expect: TL302
    return epoch_loss / len(loader)


def written_out(model, loader, optimizer, criterion):
    seen = total = 0
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        total = total + loss * x.size(0)  # expect: TL302
        seen = seen + x.size(0)
    return total / seen


def the_other_way_round(model, loader, optimizer, criterion):
    total = None
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        total = loss + total if total is not None else loss  # expect: TL302
    return total


def smoothed(model, loader, optimizer, criterion, beta=0.98):
    average = 0
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        average = beta * average + (1 - beta) * loss  # expect: TL302
        print(float(average))


def tensor_that_needs_no_gradient(model, loader, optimizer, criterion, device):
    total = torch.zeros(1, device=device)
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        total += loss  # expect: TL302
    return total.item()


def divided_for_accumulation(model, loader, optimizer, criterion, steps):
    total = 0
    for i, (x, y) in enumerate(loader):
        loss = criterion(model(x), y) / steps
        loss.backward()
        if (i + 1) % steps == 0:
            optimizer.step()
            optimizer.zero_grad()
        total += loss * steps  # expect: TL302
    return total


def negative_and_subtracted(model, loader, optimizer):
    bound = 0
    for x in loader:
        loss = -model.elbo(x)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        bound -= loss  # expect: TL302
    return bound


def one_part_of_the_loss(model, loader, optimizer, reconstruction, divergence):
    likelihood = 0
    for x in loader:
        decoded, mu, logvar = model(x)
        near = reconstruction(decoded, x)
        loss = near + divergence(mu, logvar)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        likelihood += near  # expect: TL302
    return likelihood


def while_there_are_steps(model, batches, optimizer, steps):
    step, total = 0, 0.0
    while step < steps:
        loss = model(next(batches)).mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        total += loss  # expect: TL302
        step += 1
    return total / step


def written_into_a_tensor(model, loader, device):
    """Each write is recorded with all that were written before, wherever they stand in the tensor."""  # as allenai/open-instruct
    losses = torch.zeros(8, device=device)
    margins = torch.zeros((5,)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for number, batch in enumerate(loader):
        loss = model(batch).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses[number % 8] = loss  # expect: TL302
        margins[0] = loss / 2  # expect: TL302
    return losses, margins


class Written:
    def __init__(self, model, epochs):
        self.model = model
        self.history = torch.full((epochs, 2), 0.0)
        self.optimizer = torch.optim.Adam(model.parameters())

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            for batch in loader:
                loss = self.model(batch).mean()
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            self.history[epoch, 0] = loss  # expect: TL302
