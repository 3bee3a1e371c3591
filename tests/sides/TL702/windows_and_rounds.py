"""`zero_grad` in each round of a window: how the loss is made a share, how the window is asked for, what else steps."""

import torch


def share(model, optimizer, loader, every):
    for i, batch in enumerate(loader):
        optimizer.zero_grad()  # expect: TL702
        loss = model(batch) / every
        loss.backward()
        if (i + 1) % every == 0:
            optimizer.step()


def not_a_share(model, optimizer, loader, every):
    for i, batch in enumerate(loader):
        optimizer.zero_grad()
        loss = model(batch)
        loss.backward()
        if (i + 1) % every == 0:
            optimizer.step()


def whole_loss_but_named_so(model, optimizer, loader, accumulation):
    for i, batch in enumerate(loader):
        optimizer.zero_grad()  # expect: TL702
        model(batch).backward()
        if (i + 1) % accumulation == 0:
            optimizer.step()


def more_than_the_loss(model, optimizer, loader, every):
    for i, batch in enumerate(loader):
        optimizer.zero_grad()
        loss = model(batch) * every
        loss.backward()
        if (i + 1) % every == 0:
            optimizer.step()


def share_if_there_is_a_window(model, optimizer, loader, every):
    for i, batch in enumerate(loader):
        optimizer.zero_grad()  # expect: TL702
        loss = model(batch)
        loss = loss / every if every > 1 else loss
        loss.backward()
        if (i + 1) % every == 0:
            optimizer.step()


def scaled_share(model, optimizer, scaler, loader, every):
    for i, batch in enumerate(loader):
        optimizer.zero_grad()  # expect: TL702
        scaler.scale(model(batch) / every).backward()
        if (i + 1) % every == 0:
            scaler.step(optimizer)
            scaler.update()


def window_of_one(model, optimizer, loader, every):
    for i, batch in enumerate(loader):
        if every == 1:
            optimizer.zero_grad()
            (model(batch) / every).backward()
            if (i + 1) % every == 0:
                optimizer.step()


def window_of_some(model, optimizer, loader, every):
    for i, batch in enumerate(loader):
        if every > 1:
            optimizer.zero_grad()  # expect: TL702
            (model(batch) / every).backward()
            if (i + 1) % every == 0:
                optimizer.step()


def emptied_behind_the_step(model, optimizer, loader, every):
    for i, batch in enumerate(loader):
        (model(batch) / every).backward()
        if (i + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()


def emptied_at_the_begin_of_a_window(model, optimizer, loader, every):
    for i, batch in enumerate(loader):
        if i % every == 0:
            optimizer.zero_grad()
        (model(batch) / every).backward()
        if (i + 1) % every == 0:
            optimizer.step()


def backward_in_the_window_only(model, optimizer, loader, every):
    for i, batch in enumerate(loader):
        optimizer.zero_grad()
        loss = model(batch) / every
        if (i + 1) % every == 0:
            loss.backward()
            optimizer.step()


def steps_in_the_other_rounds_too(model, optimizer, loader, every):
    for i, batch in enumerate(loader):
        optimizer.zero_grad()
        (model(batch) / every).backward()
        if (i + 1) % every == 0:
            optimizer.step()
        else:
            optimizer.step()


def another_optimizer_is_emptied(critic, actor, loader, every):
    for_critic = torch.optim.Adam(critic.parameters())
    for_actor = torch.optim.Adam(actor.parameters())
    for i, batch in enumerate(loader):
        for_actor.zero_grad()
        (critic(batch) / every).backward()
        if (i + 1) % every == 0:
            for_critic.step()
            for_critic.zero_grad()


def model_of_the_optimizer(model, loader, every):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, batch in enumerate(loader):
        model.zero_grad()  # expect: TL702
        (model(batch) / every).backward()
        if (i + 1) % every == 0:
            optimizer.step()


def another_model(model, teacher, loader, every):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, batch in enumerate(loader):
        teacher.zero_grad()
        (model(batch) / every).backward()
        if (i + 1) % every == 0:
            optimizer.step()
            optimizer.zero_grad()


def unknown_callback(model, optimizer, loader, every, callback):
    for i, batch in enumerate(loader):
        optimizer.zero_grad()
        loss = model(batch) / every
        loss.backward()
        callback(model, optimizer)
        if (i + 1) % every == 0:
            optimizer.step()


def in_the_micro_batches(model, optimizer, loader, parts):
    for batch in loader:
        for part in batch.chunk(parts):
            optimizer.zero_grad()  # expect: TL702
            (model(part) / parts).backward()
        optimizer.step()


def steps_in_the_micro_batches(model, optimizer, loader, parts):
    for batch in loader:
        for part in batch.chunk(parts):
            optimizer.zero_grad()
            (model(part) / parts).backward()
            optimizer.step()


def while_it_waits(model, optimizer, loader, good):
    for batch in loader:
        while not good(batch):
            optimizer.zero_grad()
            model(batch).backward()
        optimizer.step()
