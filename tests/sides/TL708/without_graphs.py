"""Losses of which no graph is left, or of which one may be: arithmetic, arms, totals, helpers, blocks that record nothing."""

import torch
import torch.nn.functional as F


def detached(model, x, y):
    F.mse_loss(model(x), y).detach().backward()  # expect: TL708


def read(model, x, y):
    loss = F.mse_loss(model(x), y).item()
    torch.tensor(loss).backward()  # expect: TL708


def of_its_data(model, x, y):
    loss = F.mse_loss(model(x), y).data
    loss.backward()  # expect: TL708


def made_anew(model, x, y):
    loss = torch.tensor(F.mse_loss(model(x), y))
    loss.backward()  # expect: TL708


def made_anew_with_a_graph(model, x, y):
    loss = torch.tensor(F.mse_loss(model(x), y), requires_grad=True)
    loss.backward()  # expect: TL708


def both_sides_detached(model, x, y):
    loss = F.mse_loss(model(x), y).detach() + F.l1_loss(model(x), y).detach()
    loss.backward()  # expect: TL708


def one_side_detached(model, x, y):
    loss = F.mse_loss(model(x), y).detach() + F.l1_loss(model(x), y)
    loss.backward()


def a_number_and_a_detached_one(model, x, y):
    loss = 0.5 * F.mse_loss(model(x), y).detach()
    loss.backward()  # expect: TL708


def both_arms_detached(model, x, y, smooth):
    out = model(x).detach()
    loss = F.smooth_l1_loss(out, y).detach() if smooth else F.mse_loss(out, y).detach()
    loss.backward()  # expect: TL708


def one_arm_detached(model, x, y, smooth):
    loss = F.smooth_l1_loss(model(x), y).detach() if smooth else F.mse_loss(model(x), y)
    loss.backward()


def total_of_detached_ones(model, loader):
    total = 0
    for x, y in loader:
        total = total + F.mse_loss(model(x), y).detach()
    total.backward()  # expect: TL708


def total_of_losses(model, loader):
    total = 0
    for x, y in loader:
        total = total + F.mse_loss(model(x), y)
    total.backward()


def product_of_detached_ones(model, loader, first):
    total = first
    for x, y in loader:
        total = total * F.mse_loss(model(x), y).detach()
    total.backward()


def mean_of_a_detached_one(model, x, y):
    loss = F.mse_loss(model(x), y, reduction="none").detach().mean()
    loss.backward()  # expect: TL708


def begun_again(model, x, y):
    out = model(x).detach().requires_grad_()
    F.mse_loss(out, y).backward()
    return out.grad


def weighed_by_numbers(model, x, y):
    loss = F.mse_loss(model(x), y).detach().mul(2.0)
    loss.backward()  # expect: TL708


def weighed_by_a_parameter(model, x, y, weight):
    loss = F.mse_loss(model(x), y).detach().mul(weight)
    loss.backward()


def nothing_recorded(model, x, y, criterion):
    with torch.no_grad():
        loss = criterion(model(x), y)
    loss.backward()  # expect: TL708


def something_recorded(model, x, y, criterion):
    with torch.enable_grad():
        loss = criterion(model(x), y)
    loss.backward()


def recorded_if_it_is_told(model, x, y, criterion, train):
    with torch.set_grad_enabled(train):
        loss = criterion(model(x), y)
    loss.backward()


def recorded_if_no_choice(model, x, y, criterion, guard):
    with guard():
        loss = criterion(model(x), y)
    loss.backward()


def part_recorded(model, x, y, criterion):
    with torch.no_grad():
        out = model(x)
    loss = criterion(out, y)
    loss.backward()


def detached_loss_of(model, x, y):
    return F.mse_loss(model(x), y).detach()


def loss_of(model, x, y):
    return F.mse_loss(model(x), y)


def sometimes_detached_loss_of(model, x, y, frozen):
    if frozen:
        return F.mse_loss(model(x), y).detach()
    return F.mse_loss(model(x), y)


def by_a_helper(model, x, y):
    detached_loss_of(model, x, y).backward()  # expect: TL708


def by_another_helper(model, x, y):
    loss_of(model, x, y).backward()


def by_a_helper_with_two_results(model, x, y, frozen):
    sometimes_detached_loss_of(model, x, y, frozen).backward()


def stacked_numbers(model, loader):
    losses = torch.tensor([F.mse_loss(model(x), y).item() for x, y in loader])
    losses.mean().backward()  # expect: TL708


def stacked_losses(model, loader):
    losses = torch.stack([F.mse_loss(model(x), y) for x, y in loader])
    losses.mean().backward()


def item_of_a_key(model, x, y, losses):
    losses.item("total").backward()
