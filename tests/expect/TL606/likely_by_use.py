"""A module of a class out of sight, one under a key, one that only its reader uses as such; and what is no module."""

import torch
from nets import UNet


class Trainer:
    def __init__(self, cfg):
        self.net = UNet(cfg)

    def fit(self, loader):
        optimizer = torch.optim.Adam(self.net.parameters())
        for batch in loader:
            optimizer.zero_grad()
            self.net(batch).sum().backward()
            optimizer.step()
        torch.save(self.net, "best.pth")  # expect-likely: TL606


def keep(net, epoch, path):
    torch.save({"net": net, "epoch": epoch}, path)  # expect-likely: TL606


def train(net, loader):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(3):
        for batch in loader:
            optimizer.zero_grad()
            net(batch).sum().backward()
            optimizer.step()
        keep(net, epoch, "last.t7")


def write(predictor):
    torch.save(predictor, "predictor.pt")  # expect-likely: TL606


def read(batch):
    predictor = torch.load("predictor.pt").to("cpu").eval()
    return predictor(batch)


def of_an_optimizer(optimizer):
    torch.save(optimizer.state_dict(), "state.pt")
    torch.save(optimizer, "optimizer.pt")


def of_features(loader, path):
    torch.save([batch for batch in loader], path)
    return torch.load("features.pt").mean()


def on_master(*args, **kwargs):
    if torch.distributed.get_rank() == 0:
        torch.save(*args, **kwargs)


def with_options(args, model, evaluated):
    """An option called `eval` is no method: what is saved under `args` are the options."""
    if args.eval:
        evaluated(model)
        return
    on_master({"model": model.state_dict(), "args": args}, args.output)
