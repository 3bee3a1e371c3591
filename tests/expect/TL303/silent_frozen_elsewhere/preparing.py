"""Turns the gradients of a model off."""


def prepared(model):
    for parameter in model.parameters():
        parameter.requires_grad = False
