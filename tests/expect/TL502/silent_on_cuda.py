"""Everything here is dynamic, and none of it is on XLA, although the file can be."""

import torch
from torch import nn

try:
    import torch_xla.core.xla_model as xm
except ImportError:
    xm = None


class Picking(nn.Module):
    def forward(self, x):
        odd = x.isnan()
        if odd.any():
            print("odd", torch.nonzero(odd))
        return x[~odd].sum() + x[x > 0].sum() + x.masked_select(odd).sum()


def run(loader):
    device = torch.device("cuda")
    model = Picking().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        optimizer.zero_grad()
        model(x.to(device)).backward()
        optimizer.step()


def seeded(seed):
    if xm is not None:
        xm.set_rng_state(seed)
