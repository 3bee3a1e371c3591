"""Outputs that are collected beside their labels, and in a method."""

import torch


class Runner:
    def __init__(self, model, device):
        self.model, self.device = model.to(device), device

    def validate(self, loader):
        self.model.eval()
        preds, trues = [], []
        with torch.no_grad():
            for x, label in loader:
                outputs = self.model(x.to(self.device))
                preds.append(outputs.detach())  # expect: TL310
                trues.append(label)
        preds, trues = torch.cat(preds, 0), torch.cat(trues, 0)
        return (preds.argmax(1).cpu() == trues).float().mean()


@torch.no_grad()
def ratings(model, loader, device):
    model.to(device).eval()
    found = []
    for batch in loader:
        pred = model(batch.x.to(device), batch.edges.to(device)).clamp(min=0, max=5)
        found.append(pred)  # expect: TL310
    return torch.cat(found).cpu()


def predicted(net, loader):
    net = net.cuda().eval()
    with torch.no_grad():
        outputs = [net(x.cuda()) for x, _ in loader]  # expect: TL310
    return torch.cat(outputs)


def predicted_on_the_host(net, loader):
    net = net.cuda().eval()
    with torch.no_grad():
        outputs = [net(x.cuda()).cpu() for x, _ in loader]
    return torch.cat(outputs)
