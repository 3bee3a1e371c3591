"""Generators that are kept and gone through twice."""

import itertools

import accelerate
import torch


def adapters(unet, loader, args, accelerator):
    layers = filter(lambda p: p.requires_grad, unet.parameters())  # expect: TL715
    optimizer_cls = torch.optim.AdamW if args.adam else torch.optim.SGD
    optimizer = optimizer_cls(layers, lr=args.learning_rate)
    for _ in range(args.epochs):
        for batch in loader:
            loss = unet(batch).mean()
            accelerator.backward(loss)
            if accelerator.sync_gradients:
                to_clip = layers
                accelerator.clip_grad_norm_(to_clip, args.max_grad_norm)
            optimizer.step()
            optimizer.zero_grad()


def both(generator, critic):
    weights = itertools.chain(generator.parameters(), critic.parameters())  # expect: TL715
    optimizer = torch.optim.Adam(weights, lr=2e-4)
    for weight in weights:
        weight.requires_grad_(True)
    return optimizer


def rounds(model, epochs):
    named = model.named_parameters()  # expect: TL715
    for _ in range(epochs):
        for name, weight in named:
            print(name, weight.norm())


class Average:
    def __init__(self, model):
        self.weights = model.parameters()  # expect: TL715
        self.shadow = [weight.clone() for weight in self.weights]

    def update(self, rate):
        for shadow, weight in zip(self.shadow, self.weights):
            shadow.lerp_(weight, rate)


def total(model):
    weights = model.parameters()  # expect: TL715
    norm = torch.nn.utils.clip_grad_norm_(weights, float("inf"))
    flat = torch.nn.utils.parameters_to_vector(weights)
    return norm, flat


def both_of_two_texts(model, name):
    weights = model.parameters()  # expect: TL715
    if name in ("sgd", "adam"):
        optimizer = torch.optim.SGD(weights, lr=0.1)
    if name == "adam":
        optimizer = torch.optim.Adam(weights)
    return optimizer


def part_of_a_text(model, name):
    weights = model.parameters()  # expect: TL715
    if name in "sgd with momentum":
        optimizer = torch.optim.SGD(weights, lr=0.1)
    if name == "sgd":
        optimizer = torch.optim.Adam(weights)
    return optimizer


def not_two(model, name):
    weights = model.parameters()  # expect: TL715
    if name != "sgd":
        optimizer = torch.optim.SGD(weights, lr=0.1)
    if name != "adam":
        optimizer = torch.optim.Adam(weights)
    return optimizer
