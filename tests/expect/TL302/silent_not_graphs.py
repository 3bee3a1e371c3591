"""What is added next to a backward pass is a number, a count or something unknown."""

import time

import numpy as np
import torch


def counts(model, loader, optimizer, criterion, weight):
    seen = right = elapsed = norm = weights = tokens = rate = 0
    for x, y in loader:
        start = time.time()
        output = model(x)
        loss = weight * criterion(output, y)
        loss.backward()
        norm += torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        seen += x.size(0)
        right += (output.argmax(1) == y).sum()
        elapsed += time.time() - start
        weights += weight
        tokens += y.ne(0).sum()
        rate += optimizer.param_groups[0]["lr"]
    return seen, right, elapsed, norm, weights, tokens, rate


def scaled_by_a_batch_value(model, loader, optimizer, criterion):
    sizes = 0
    for x, y in loader:
        size = len(y)
        loss = criterion(model(x), y) * size
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        sizes += size
    return sizes


def loss_as_text(model, loader, optimizer, criterion):
    text, values = "", np.zeros(3)
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        text += f"{loss:.3f} "
        values += np.asarray(loss.item())
    return text, values


def train_step(model, batch, optimizer):
    loss = model(batch)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()


def float_from_a_helper(model, loader, optimizer):
    total = 0
    for batch in loader:
        total += train_step(model, batch, optimizer)
    return total


def train_step_with_log(model, batch, optimizer):
    loss, size, log = model(batch)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss, size, log


def other_items_of_a_result(model, loader, optimizer):
    sizes, sums = 0, {}
    for batch in loader:
        loss, size, log = train_step_with_log(model, batch, optimizer)
        sizes += size
        for name in log:
            sums[name] = sums.get(name, 0) + log[name]
    return sizes, sums


def weights_of_an_average(model, average, loader, optimizer, decay):
    for x in loader:
        loss = model(x)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        for name, value in average.state_dict().items():
            value *= decay
            value += (1 - decay) * model.state_dict()[name].detach()


def written_into_a_tensor(model, loader):
    losses, numbers, beside = torch.zeros(8), torch.zeros(8), torch.empty(8)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for number, batch in enumerate(loader):
        loss = model(batch).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses[number % 8] = loss.detach()
        numbers[number % 8] = loss.item()
        with torch.no_grad():
            beside[number % 8] = loss
        of_this_round = torch.zeros(2)
        of_this_round[0] = loss


def written_for_the_backward_pass(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    old = torch.zeros(16).double()
    for batch in loader:
        results = torch.zeros(len(batch))
        for place, item in enumerate(batch):
            results[place] = model(item).sum()
            with torch.no_grad():
                before = model(item).sum()
            old[place] = before
        optimizer.zero_grad()
        results.mean().backward()
        optimizer.step()


def cut_off_behind_it(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = torch.zeros(4)
    for number, batch in enumerate(loader):
        loss = model(batch).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses[number % 4] = loss
        losses = losses.detach()
