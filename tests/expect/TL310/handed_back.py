"""The list and the output come back from an object and a function of the project."""

import torch


def checked(scores):
    return scores


class Outputs:
    def __init__(self, found):
        self.found = found


@torch.no_grad()
def predict(model, loader):
    model.cuda().eval()
    scores, hosted = [], []
    outputs, others = Outputs(scores), Outputs(hosted)
    for images in loader:
        found = checked(model(images.cuda()))
        outputs.found.append(found)  # expect: TL310
        others.found.append(found.cpu())
    return torch.cat(scores), torch.cat(hosted)
