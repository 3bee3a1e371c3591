"""A part with weights from a file is put into evaluation mode with the object that runs it."""
# Modelled on kvablack/ddpo-pytorch.

import torch


class Head(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(768, 64), torch.nn.Dropout(0.2), torch.nn.Linear(64, 1))

    def forward(self, x):
        return self.layers(x)


class Scorer(torch.nn.Module):
    def __init__(self, path):
        super().__init__()
        self.head = Head()
        self.head.load_state_dict(torch.load(path, weights_only=True))
        self.eval()

    @torch.no_grad()
    def __call__(self, x):
        return self.head(x).squeeze(1)


def scores(path, images):
    scorer = Scorer(path).cuda()
    return [scorer(image) for image in images]
