"""What puts the outputs into the list, or computes them, is a function."""

import torch


def scores_of(model, images):
    return model(images.cuda())


def scores_on_host(model, images):
    return model(images.cuda()).cpu()


def remember(outputs, scores):
    outputs.append(scores)  # expect: TL310


@torch.no_grad()
def predict(model, loader):
    model.cuda().eval()
    outputs = []
    for images in loader:
        remember(outputs, scores_of(model, images))
    return torch.cat(outputs)


@torch.no_grad()
def predict_here(model, loader):
    model.cuda().eval()
    outputs = []
    for images in loader:
        scores = scores_on_host(model, images)
        outputs.append(scores)
    return torch.cat(outputs)
