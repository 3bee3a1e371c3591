"""Gradients of what is put in are wanted, though the model evaluates."""

import torch


def saliency(model, loader):
    model.eval()
    for x in loader:
        x.requires_grad_()
        model(x).sum().backward()
        print(x.grad.abs().amax())


def saliency_by_autograd(model, loader):
    model.eval()
    for x in loader:
        x.requires_grad_()
        score = model(x).sum()
        print(torch.autograd.grad(score, x)[0].abs().amax())
