from collections import defaultdict

import torch
from losses import Counted, Ranking, criterion_for
from torch import distributed


class Trainer:
    def __init__(self, net, settings):
        self.net = net
        self.criterion = criterion_for(settings)
        self.counted = Counted(settings)
        self.scaler = torch.amp.GradScaler("cuda")
        self.many = settings.many

    def batch(self, inputs, truth):
        self.optimizer.zero_grad()
        with torch.autocast("cuda"):
            guess = self.net(inputs)
            loss, parts = self.criterion(guess["first"], guess["second"], truth)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return parts

    def counted_batch(self, inputs, truth):
        self.optimizer.zero_grad()
        guess = self.net(inputs)
        loss, parts = self.counted(guess["first"], guess["second"], truth)
        loss.backward()
        self.optimizer.step()
        return parts

    def epoch(self, loader):
        totals = defaultdict(lambda: torch.tensor(0.0))
        names, numbers, values = [], defaultdict(float), defaultdict(float)
        for inputs, truth in loader:
            parts = self.batch(inputs, truth)
            for name, part in parts.items():
                if self.many:
                    distributed.all_reduce(part)
                totals[name] += part * len(inputs)  # expect: TL302
            names.append(list(parts.keys()))
            names.append(list([inputs, truth]) + tuple(loader) + list(range(3)))
            for name, part in parts.items():
                values[name] += part.item()
            for name, part in self.counted_batch(inputs, truth).items():
                numbers[name] += part
        return totals, names, numbers, values


def rank(batches, device, size):
    model = Ranking(size).to(device)
    optimizer = torch.optim.Adam(model.parameters())
    total = ranks = sizes = 0.0
    for users, items in batches:
        first, second = model(users, items)
        loss, of_rank, of_size = model.compare(first, second)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
        ranks += of_rank  # expect: TL302
        sizes += of_size.detach()
    return total, ranks, sizes
