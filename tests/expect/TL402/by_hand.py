"""A loss that is multiplied by a static scale, as apex's language model was trained; and losses that only weigh more."""

import torch
from torch.nn.utils import clip_grad_norm_


def train(args, model, criterion, batches, lr):
    for data, targets in batches:
        model.zero_grad()
        loss = criterion(model(data), targets)
        loss = loss * args.static_loss_scale
        loss.backward()
        loss = loss / args.static_loss_scale
        clip_grad_norm_(model.parameters(), args.clip)  # expect: TL402
        for p in model.parameters():
            p.data.add_(p.grad.data, alpha=-lr / args.static_loss_scale)


def divided_first(args, model, criterion, batches, lr):
    for data, targets in batches:
        model.zero_grad()
        loss = criterion(model(data), targets) * args.static_loss_scale
        loss.backward()
        for p in model.parameters():
            p.grad.data = p.grad.data / args.static_loss_scale
        clip_grad_norm_(model.parameters(), args.clip)
        for p in model.parameters():
            p.data.add_(p.grad.data, alpha=-lr)


def bound_is_scaled(args, model, criterion, batches, lr):
    for data, targets in batches:
        model.zero_grad()
        loss = criterion(model(data), targets) * args.loss_scale
        loss.backward()
        clip_grad_norm_(model.parameters(), args.clip * args.loss_scale)
        for p in model.parameters():
            p.data.add_(p.grad.data, alpha=-lr / args.loss_scale)


def weighs_more(args, model, criterion, batches, optimizer):
    total = torch.zeros(())
    for data, targets in batches:
        optimizer.zero_grad()
        loss = criterion(model(data), targets) * args.loss_scale
        loss.backward()
        clip_grad_norm_(model.parameters(), args.clip)
        optimizer.step()
        total += loss.detach() / args.world_size
    return total


def weighs_more_but_in_the_log(args, model, criterion, batches, optimizer, log):
    for data, targets in batches:
        optimizer.zero_grad()
        loss = criterion(model(data), targets) * args.loss_scale
        loss.backward()
        clip_grad_norm_(model.parameters(), args.clip)
        optimizer.step()
        log(loss / args.loss_scale)
