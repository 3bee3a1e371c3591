"""Gradients that are used, or thrown away on purpose."""

import torch


def adversarial(generator, critic, loader, judge):
    opt_g = torch.optim.Adam(generator.parameters())
    opt_d = torch.optim.Adam(critic.parameters())
    for real, noise in loader:
        opt_g.zero_grad()
        fake = generator(noise)
        judge(critic(fake), True).backward()
        opt_g.step()
        opt_d.zero_grad()
        ((judge(critic(real), True) + judge(critic(fake.detach()), False)) / 2).backward()
        opt_d.step()


def windowed(model, loader, optimizer, every):
    for number, batch in enumerate(loader):
        if number % every == 0:
            optimizer.zero_grad()
        (model(batch) / every).backward()
        if number % every == every - 1:
            optimizer.step()


def skipped(model, loader, optimizer, scaler):
    for batch in loader:
        loss = model(batch)
        scaler.scale(loss).backward()
        if torch.isnan(loss):
            optimizer.zero_grad()
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()


def lbfgs(model, loader, optimizer, criterion):
    for x, y in loader:

        def closure():
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            return loss

        optimizer.step(closure)


def framework(model, loader, accelerator):
    optimizer = torch.optim.AdamW(model.parameters())
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for batch in loader:
        with accelerator.accumulate(model):
            optimizer.zero_grad()
            accelerator.backward(model(batch))
            optimizer.step()


def delayed(actor, critic, batches, for_actor, for_critic, delay):
    for number, batch in enumerate(batches):
        for_critic.zero_grad()
        critic(batch).mean().backward()
        for_critic.step()
        if number % delay == 0:
            for_actor.zero_grad()
            (-critic(actor(batch))).mean().backward()
            for_actor.step()


def probed(model, loader, optimizer, norm):
    for batch in loader:
        model(batch).mean().backward()
        print(norm(model))
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        optimizer.zero_grad()


def two_ways_to_train(model, loader, optimizer, scaler, steps):
    for number, batch in enumerate(loader):
        if steps > 1:
            scaler.scale(model(batch) / steps).backward()
            if (number + 1) % steps == 0:
                scaler.step(optimizer)
                optimizer.zero_grad()
                scaler.update()
        else:
            optimizer.zero_grad()
            scaler.scale(model(batch)).backward()
            scaler.step(optimizer)
            scaler.update()


def adapted(model, loader, optimizer):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()


def adapted_then_trained(model, loader, optimizer, epochs):
    for _ in range(epochs):
        adapted(model, loader, optimizer)
        losses = [model(batch).mean() for batch in loader]
        torch.stack(losses).mean().backward()
        optimizer.step()


def one_step_behind(model, loader, optimizer):
    for number, batch in enumerate(loader):
        if number > 0:
            optimizer.step()
        optimizer.zero_grad()
        model(batch).mean().backward()
    optimizer.step()
