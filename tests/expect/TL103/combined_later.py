"""What the ranks combine is each rank's own until then."""

import torch
import torch.distributed as dist
from accelerate import Accelerator


def mean_of(values, mask):
    if mask.sum() == 0:
        return 0.0
    total = torch.stack([(values * mask).sum(), mask.sum()])
    dist.all_reduce(total)  # expect: TL103
    return (total[0] / total[1]).item()


def reduced(tensor):
    copy = tensor.clone()
    dist.all_reduce(copy)
    return copy


def log(loss, writer):
    if not torch.isfinite(loss):
        return
    writer.add_scalar("loss", reduced(loss).item())  # expect: TL103


class Metrics:
    def __init__(self, accelerator: Accelerator):
        self.accelerator = accelerator
        self.kept = []

    def update(self, outputs, labels):
        picked = outputs[labels != -100]
        if picked.numel() > 0:
            self.kept.append(self.accelerator.gather_for_metrics(picked))  # expect: TL103

    def threshold(self, entropies, mask, share):
        picked = entropies[mask.bool()].float()
        if picked.numel() == 0:
            return torch.zeros_like(entropies)
        count = torch.tensor([picked.numel()], device=entropies.device)
        longest = self.accelerator.gather(count).max().item()  # expect: TL103
        padded = torch.cat([picked, picked.new_zeros(longest - picked.numel())])
        return entropies >= torch.quantile(self.accelerator.gather(padded), share)


def count(loader, net):
    wrong = torch.zeros(1)
    for x, y in loader:
        wrong += (net(x) != y).sum()
    if wrong.item() == 0:
        return
    dist.reduce(wrong, 0)  # expect: TL103


def clip(gradient, limit):
    norm = gradient.norm()
    if norm.item() > limit:
        dist.all_reduce(norm)  # expect: TL103
        gradient.mul_(limit / norm)


def valid(scores):
    finite = scores[~torch.isnan(scores)]
    if len(finite) == 0:
        return None
    parts = [None] * dist.get_world_size()
    dist.all_gather_object(parts, finite.tolist())  # expect: TL103
    return parts
