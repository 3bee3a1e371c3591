"""A loss that weighs less than it did is not scaled against underflow, on whichever side the weight stands."""

from torch.nn.utils import clip_grad_norm_


def on_the_right(args, model, criterion, batches, lr):
    for data, targets in batches:
        model.zero_grad()
        loss = criterion(model(data), targets) * 0.5
        loss.backward()
        loss = loss / 0.5
        clip_grad_norm_(model.parameters(), args.clip)
        for p in model.parameters():
            p.data.add_(p.grad.data, alpha=-lr / 0.5)


def on_the_left(args, model, criterion, batches, lr):
    weight = -1
    for data, targets in batches:
        model.zero_grad()
        loss = weight * criterion(model(data), targets)
        loss.backward()
        loss = loss / weight
        clip_grad_norm_(model.parameters(), args.clip)
        for p in model.parameters():
            p.data.add_(p.grad.data, alpha=-lr / weight)
