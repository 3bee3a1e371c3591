"""As in Lightning-GPT (a set-up behind the constructor), pytorch/xla (its own wrapper) and accelerate's fsdp issues (False written out)."""

import torch
import torch.nn.functional as F
from torch.distributed import fsdp
from torch_xla.distributed.fsdp import XlaFullyShardedDataParallel


class Runner:
    def __init__(self, net, rate):
        self.net = net
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=rate)  # expect: TL118

    def setup(self, policy):
        self.net = fsdp.FullyShardedDataParallel(self.net, auto_wrap_policy=policy, use_orig_params=False)

    def run(self, loader):
        for x, y in loader:
            self.optimizer.zero_grad()
            F.mse_loss(self.net(x), y).backward()
            self.optimizer.step()


def on_cores(net, loader, device):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)  # expect: TL118
    net = XlaFullyShardedDataParallel(net.to(device))
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(net(x), y).backward()
        optimizer.step()


def by_groups(make, loader, policy, wrap=fsdp.FullyShardedDataParallel):
    settings = {"auto_wrap_policy": policy, "limit_all_gathers": True}
    model = make()
    quiet = ("bias", "norm")
    groups = [
        {"params": [p for n, p in model.named_parameters() if not any(q in n for q in quiet)], "weight_decay": 0.01},
        {"params": [p for n, p in model.named_parameters() if any(q in n for q in quiet)], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=1e-5)  # expect: TL118
    model = fsdp.FullyShardedDataParallel(model, **settings)
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(model(x), y).backward()
        optimizer.step()


def layers_only(net, loader, mesh):
    optimizer = torch.optim.Adam(net.parameters(), lr=0.1)  # expect: TL118
    for _, layer in enumerate(net.layers):
        fsdp.fully_shard(layer, mesh=mesh)
    for x, y in loader:
        optimizer.zero_grad()
        F.cross_entropy(net(x), y).backward()
        optimizer.step()
