"""Gradients of inputs through float16 autocast: penalties, adversarial steps, saliency maps."""

from contextlib import nullcontext as nothing

import torch
from torch import autograd, nn
from torch.cuda import amp
from torch.nn import functional


class WGAN:
    def __init__(self, critic, generator):
        self.critic = critic
        self.generator = generator
        self.optimizer = torch.optim.Adam(critic.parameters())
        self.scaler = amp.GradScaler()

    def penalty(self, real, fake):
        eps = torch.rand(len(real), 1, 1, 1, device=real.device)
        x = (eps * real + (1 - eps) * fake).requires_grad_()
        out = self.critic(x)
        ones = torch.ones_like(out)
        (gradient,) = autograd.grad(out, x, grad_outputs=ones, create_graph=True)  # expect: TL423
        return ((gradient.flatten(1).norm(dim=1) - 1) ** 2).mean()

    def step(self, real, noise):
        self.optimizer.zero_grad()
        with amp.autocast():
            fake = self.generator(noise).detach()
            loss = self.critic(fake).mean() - self.critic(real).mean() + 10 * self.penalty(real, fake)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()


def pgd_attack(model, images, labels, eps=8 / 255, alpha=2 / 255, steps=10):
    adv = images.clone().detach()
    for _ in range(steps):
        adv.requires_grad = True
        with amp.autocast(enabled=True):
            loss = functional.cross_entropy(model(adv), labels)
        gradient = torch.autograd.grad(loss, adv, retain_graph=False, create_graph=False)[0]  # expect: TL423
        adv = adv.detach() + alpha * gradient.sign()
        adv = torch.clamp(images + torch.clamp(adv - images, -eps, eps), 0, 1)
    return adv


def at_the_interpolates(discriminator, real, fake, device):
    alpha = torch.rand(real.size(0), 1, device=device)
    between = torch.autograd.Variable(alpha * real + (1 - alpha) * fake, requires_grad=True)
    with torch.autocast("cuda"):
        out = discriminator(between)
    weights = torch.ones(out.size()).to(device)
    return torch.autograd.grad(outputs=out, inputs=between, grad_outputs=weights, create_graph=True)[0]  # expect: TL423


def saliency(model, image, target):
    image.requires_grad_()
    with torch.autocast("cuda"):
        score = model(image)[0, target]
    score.backward()  # expect: TL423
    return image.grad.abs().max(dim=1)[0]


def regularize(model, batch, criterion, optimizer, scaler):
    with torch.autocast(device_type="cuda", dtype=torch.float16):
        loss = criterion(model(batch["x"]), batch["y"])
    grads = torch.autograd.grad(outputs=loss, inputs=list(model.parameters()), create_graph=True)  # expect: TL423
    penalty = sum(g.pow(2).sum() for g in grads)
    scaler.scale(loss + penalty).backward()
    scaler.step(optimizer)
    scaler.update()


def virtual_adversarial(model, x, xi=1e-6):
    d = functional.normalize(torch.randn_like(x).flatten(1)).view_as(x).requires_grad_(True)
    with torch.amp.autocast("cuda"):
        divergence = nn.functional.kl_div(model(x + xi * d).log_softmax(1), model(x).softmax(1), reduction="batchmean")
    divergence.backward()  # expect: TL423
    return d.grad


class EitherWay:
    """Nothing says that autocast is off where the penalty is asked for."""

    def step(self, x, y, lazily):
        with torch.autocast("cuda") if self.config.mixed and not self.exact else nothing():
            out = self.critic(x)
            if self.config.penalty and self.exact:
                self.loss = functional.cross_entropy(out, y)
            elif self.config.penalty and lazily:
                self.loss = gradient_norm(self.critic(x), x)


def gradient_norm(out, x):
    return torch.autograd.grad([out.sum()], [x], create_graph=True)[0].norm()  # expect: TL423
