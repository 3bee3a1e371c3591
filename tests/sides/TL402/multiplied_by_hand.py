"""Losses that the program multiplies itself: by what, and what is divided by it afterwards, and when."""

from torch.nn.utils import clip_grad_norm_


def update_divided(model, criterion, batches, lr, loss_scale):
    for data, targets in batches:
        model.zero_grad()
        loss = criterion(model(data), targets) * loss_scale
        loss.backward()
        clip_grad_norm_(model.parameters(), 1.0)  # expect: TL402
        for p in model.parameters():
            p.data.add_(p.grad, alpha=-lr / loss_scale)


def factor_first(model, criterion, batches, lr, loss_scale):
    for data, targets in batches:
        model.zero_grad()
        loss = loss_scale * criterion(model(data), targets)
        loss.backward()
        clip_grad_norm_(model.parameters(), 1.0)  # expect: TL402
        for p in model.parameters():
            p.data.add_(p.grad, alpha=-lr / loss_scale)


def in_one_expression(model, criterion, batches, lr, loss_scale):
    for data, targets in batches:
        model.zero_grad()
        (criterion(model(data), targets) * loss_scale).backward()
        clip_grad_norm_(model.parameters(), 1.0)  # expect: TL402
        for p in model.parameters():
            p.data.add_(p.grad, alpha=-lr / loss_scale)


def added(model, criterion, batches, lr, loss_scale):
    for data, targets in batches:
        model.zero_grad()
        loss = criterion(model(data), targets) + loss_scale
        loss.backward()
        clip_grad_norm_(model.parameters(), 1.0)
        for p in model.parameters():
            p.data.add_(p.grad, alpha=-lr / loss_scale)


def by_a_weight(model, criterion, batches, lr, weight):
    for data, targets in batches:
        model.zero_grad()
        loss = criterion(model(data), targets) * weight
        loss.backward()
        clip_grad_norm_(model.parameters(), 1.0)
        for p in model.parameters():
            p.data.add_(p.grad, alpha=-lr / weight)


def weighs_more(model, criterion, batches, optimizer, loss_scale):
    for data, targets in batches:
        optimizer.zero_grad()
        loss = criterion(model(data), targets) * loss_scale
        loss.backward()
        clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()


def only_the_loss_is_divided(model, criterion, batches, optimizer, loss_scale, log):
    for data, targets in batches:
        optimizer.zero_grad()
        loss = criterion(model(data), targets) * loss_scale
        loss.backward()
        clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        log((loss / loss_scale).item())


def bound_multiplied(model, criterion, batches, lr, loss_scale):
    for data, targets in batches:
        model.zero_grad()
        loss = criterion(model(data), targets) * loss_scale
        loss.backward()
        clip_grad_norm_(model.parameters(), 1.0 * loss_scale)
        for p in model.parameters():
            p.data.add_(p.grad, alpha=-lr / loss_scale)


def emptied_before_the_clip(model, criterion, batches, lr, loss_scale):
    for data, targets in batches:
        loss = criterion(model(data), targets) * loss_scale
        loss.backward()
        for p in model.parameters():
            p.data.add_(p.grad, alpha=-lr / loss_scale)
        model.zero_grad()
        clip_grad_norm_(model.parameters(), 1.0)


def gradients_divided_in_place(model, criterion, batches, optimizer, loss_scale):
    for data, targets in batches:
        optimizer.zero_grad()
        loss = criterion(model(data), targets) * loss_scale
        loss.backward()
        for p in model.parameters():
            p.grad.div_(loss_scale)
        clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
