"""Gradients that are not wanted: of an attack, of a penalty, of a probe, of the critic that judges a generator; or kept aside."""

import torch
import torch.nn.functional as F


def hostile_examples(model, loader, optimizer, size):
    """The first pass is for the pictures."""
    for x, y in loader:
        x = x.clone().requires_grad_(True)
        F.cross_entropy(model(x), y).backward()
        hostile = (x + size * x.grad.sign()).detach()
        optimizer.zero_grad()
        F.cross_entropy(model(hostile), y).backward()
        optimizer.step()


def sharpness(model, loader, optimizer, rho):
    """Two passes in one step: the first says where to go up."""
    for x, y in loader:
        F.cross_entropy(model(x), y).backward()
        moved = []
        with torch.no_grad():
            for weight in model.parameters():
                moved.append(rho * weight.grad)
                weight.add_(moved[-1])
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        with torch.no_grad():
            for weight, by in zip(model.parameters(), moved):
                weight.sub_(by)
        optimizer.step()
        optimizer.zero_grad()


def vocoder(generator, critic, loader, for_generator, for_critic):
    """The generator's pass leaves gradients in the critic: these are emptied before the critic's own."""
    for mel, wave in loader:
        made = generator(mel)
        for_critic.zero_grad()
        ((1 - critic(wave)).square().mean() + critic(made.detach()).square().mean()).backward()
        for_critic.step()
        for_generator.zero_grad()
        ((1 - critic(made)).square().mean() + F.l1_loss(made, wave)).backward()
        for_generator.step()


def out_of_memory(model, loader, optimizer):
    """A batch that does not fit is left out."""
    for batch in loader:
        try:
            model(batch).mean().backward()
        except RuntimeError as error:
            if "out of memory" not in str(error):
                raise
            optimizer.zero_grad()
            torch.cuda.empty_cache()
            continue
        optimizer.step()
        optimizer.zero_grad()


def saved_for_later(model, tasks, optimizer):
    """The gradients of each task are copied, and put together in the end."""
    for batch in zip(*tasks):
        kept = []
        for part in batch:
            optimizer.zero_grad()
            model(part).mean().backward()
            kept.append([weight.grad.clone() for weight in model.parameters()])
        for weight, *gradients in zip(model.parameters(), *kept):
            weight.grad = torch.stack(gradients).mean(0)
        optimizer.step()
