"""Windows of batches whose gradients are emptied before the last of them: what the others computed is lost."""

import torch


def before_the_last(model, optimizer, loader, window):
    for number, (images, labels) in enumerate(loader):
        loss = torch.nn.functional.cross_entropy(model(images), labels) / window
        if (number + 1) % window == 0:
            optimizer.zero_grad()  # expect: TL702
        loss.backward()
        if (number + 1) % window == 0:
            optimizer.step()


def also_at_the_end(model, optimizer, loader, window):
    for number, (images, labels) in enumerate(loader):
        loss = torch.nn.functional.cross_entropy(model(images), labels) / window
        if not (number + 1) % window:
            optimizer.zero_grad()  # expect: TL702
        loss.backward()
        if (number + 1) % window == 0 or number + 1 == len(loader):
            optimizer.step()


def before_each_of_a_counted_window(model, optimizer, loader, window):
    done = 0
    for images, labels in loader:
        optimizer.zero_grad()  # expect: TL702
        (torch.nn.functional.cross_entropy(model(images), labels) / window).backward()
        done += 1
        if done == window:
            optimizer.step()
            done = 0


def before_the_first(model, optimizer, loader, window):
    for number, (images, labels) in enumerate(loader):
        loss = torch.nn.functional.cross_entropy(model(images), labels) / window
        if number % window == 0:
            optimizer.zero_grad()
        loss.backward()
        if (number + 1) % window == 0:
            optimizer.step()


def every_so_often_alone(critic, generator, critics, generators, loader, every):
    for number, real in enumerate(loader):
        critics.zero_grad()
        (critic(generator(real).detach()) - critic(real)).mean().backward()
        critics.step()
        if number % every == 0:
            generators.zero_grad()
            (-critic(generator(real)) / 2).mean().backward()
            generators.step()
