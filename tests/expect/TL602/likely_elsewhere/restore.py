"""A state that is restored in a file whose callers are not seen to join the job."""
# Modelled on microsoft/XPretrain.

import torch


class Restorer:
    def __init__(self, options, model, optimizer):
        self.model = model
        self.optimizer = optimizer
        self.path = options.path
        self.step = 0
        if options.resume:
            self.restore()

    def restore(self):
        checkpoint = torch.load(self.path)  # expect-likely: TL602
        self.step = checkpoint["step"]
        self.model.load_state_dict(checkpoint["model"])
        self.optimizer.load_state_dict(checkpoint["optimizer"])


def published(model, path):
    checkpoint = torch.load(path)
    model.load_state_dict(checkpoint["model"])
    return checkpoint["config"]
