"""Two ranks, a loss of features that were gathered, with a temperature that is learned."""

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn


def gather(x):
    parts = [torch.zeros_like(x) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, x)  # expect: TL122
    return torch.cat(parts)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4, bias=False)

    def forward(self, x):
        return self.layer(x)


def main():
    dist.init_process_group("gloo")
    torch.manual_seed(0)
    model, scale = Net(), nn.Parameter(torch.ones(()))
    before = model.layer.weight.detach().clone()
    optimizer = torch.optim.SGD([*model.parameters(), scale], lr=0.5)
    batch = torch.randn(2, 4) + dist.get_rank()
    for _ in range(3):
        every = gather(model(batch))
        loss = F.cross_entropy(scale * every @ every.t(), torch.arange(len(every)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print((model.layer.weight - before).abs().max().item(), (scale - 1).abs().item())
