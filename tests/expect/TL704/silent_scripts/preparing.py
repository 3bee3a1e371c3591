"""Puts a model into the mode to ask it in."""


def ready(model):
    for parameter in model.parameters():
        parameter.requires_grad = False
    return model.eval()
