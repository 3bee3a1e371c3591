"""Recorded backward passes whose gradients are let go, and those that are not recorded."""

import torch


def hessian_vector(model, loader, optimizer):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward(create_graph=True)
        optimizer.step()


def by_the_model(model, loader, optimizer):
    for batch in loader:
        model(batch).mean().backward(create_graph=True)
        optimizer.step()
        model.zero_grad(set_to_none=True)


def set_to_zero(model, loader, optimizer):
    for batch in loader:
        optimizer.zero_grad(set_to_none=False)
        model(batch).mean().backward(create_graph=True)
        optimizer.step()


def cut_off(model, loader):
    for batch in loader:
        model(batch).mean().backward(create_graph=True)
        for parameter in model.parameters():
            parameter.grad.detach_()
            parameter.grad.zero_()


def inner_loop(model, tasks, learn):
    for task in tasks:
        loss = model(task).mean()
        gradients = torch.autograd.grad(loss, list(model.parameters()), create_graph=True)
        learn(gradients)


def somebody_else(model, loader, engine):
    for batch in loader:
        loss = model(batch).mean()
        engine.backward(loss, create_graph=True)
        engine.step()
