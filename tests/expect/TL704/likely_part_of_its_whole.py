"""A part with weights from a file, and an object around it that puts another part into evaluation mode."""

import torch


class Head(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(768, 64), torch.nn.Dropout(0.2), torch.nn.Linear(64, 1))

    def forward(self, x):
        return self.layers(x)


class Judge(torch.nn.Module):
    def __init__(self, path):
        super().__init__()
        self.head = Head()
        self.head.load_state_dict(torch.load(path, weights_only=True))
        self.other = Head()
        self.other.eval()

    @torch.no_grad()
    def __call__(self, x):
        return self.head(x).squeeze(1)  # expect-likely: TL704
