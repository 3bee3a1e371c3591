"""What is put into the list: with or without a graph, of one arm or of both, where nothing is recorded, in a closure."""

import torch
import torch.nn.functional as F


def loss_or_its_mean(model, loader, optimizer, gpus):
    losses = []
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        if gpus > 1:
            loss = loss.mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss)  # expect: TL301


def loss_or_its_share(model, loader, optimizer, every):
    losses = []
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        if every > 1:
            loss = loss / every
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss)  # expect: TL301


def loss_or_the_loss_of_another(model, loader, optimizer, smooth):
    losses = []
    for x, y in loader:
        if smooth:
            loss = F.smooth_l1_loss(model(x), y)
        else:
            loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss)  # expect: TL301


def cut_off_the_loss(model, loader, optimizer):
    losses = []
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        loss.detach_()
        losses.append(loss)


def cut_off_the_output(model, loader, optimizer):
    losses = []
    for x, y in loader:
        output = model(x)
        loss = F.cross_entropy(output, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        output.detach_()
        losses.append(output)


def half_of_it_where_nothing_is_recorded(model, loader, optimizer):
    losses = []
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            half = loss / 2
        losses.append(half)


def half_of_it(model, loader, optimizer):
    losses = []
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        half = loss / 2
        losses.append(half)  # expect: TL301


def put_in_where_nothing_is_recorded(model, loader, optimizer):
    losses = []
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            losses.append(loss)  # expect: TL301


def last_of_the_list(model, loader, optimizer):
    losses = []
    for x, y in loader:
        losses.append(F.cross_entropy(model(x), y))  # expect: TL301
        optimizer.zero_grad()
        losses[-1].backward()
        optimizer.step()


def first_of_the_list(model, loader, optimizer):
    losses = []
    for x, y in loader:
        losses.append(F.cross_entropy(model(x), y))
        optimizer.zero_grad()
        losses[0].backward()
        optimizer.step()


def output_of_the_teacher(model, teacher, loader, optimizer):
    targets = []
    for x, _ in loader:
        with torch.no_grad():
            target = teacher(x)
        loss = F.mse_loss(model(x), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        targets.append(target)


def closure_of_each_round(model, loader):
    losses = []
    optimizer = torch.optim.LBFGS(model.parameters())
    for x, y in loader:

        def closure():
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            losses.append(loss)  # expect: TL301
            return loss

        optimizer.step(closure)


def one_closure(model, x, y, steps):
    losses = []
    optimizer = torch.optim.LBFGS(model.parameters())

    def closure():
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        losses.append(loss)  # expect: TL301
        return loss

    for _ in range(steps):
        optimizer.step(closure)


def one_closure_that_is_emptied(model, x, y, steps):
    losses = []
    optimizer = torch.optim.LBFGS(model.parameters())

    def closure():
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        losses.append(loss)
        return loss

    for _ in range(steps):
        optimizer.step(closure)
        losses.clear()


def one_closure_for_one_step(model, x, y):
    losses = []
    optimizer = torch.optim.LBFGS(model.parameters())

    def closure():
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        losses.append(loss)
        return loss

    optimizer.step(closure)


def steps_of_several_optimizers(parts, x, y, optimizers):
    losses = []
    for name, optimizer in optimizers.items():
        loss = F.cross_entropy(parts[name](x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss)
    return torch.stack(losses).mean().item()
