"""A window that is full when so many samples or tokens have been seen, whatever a batch holds of them."""

import torch.nn.functional as F


def by_samples(model, optimizer, loader, args):
    seen = 0
    for x, y in loader:
        loss = F.cross_entropy(model(x), y)
        loss.backward()  # expect: TL706
        seen += x.size(0)
        if seen >= args.batch_size:
            optimizer.step()
            optimizer.zero_grad()
            seen = 0


def by_tokens(model, optimizer, loader, most):
    seen = 0
    for x, y in loader:
        seen += y.numel()
        F.cross_entropy(model(x), y).backward()  # expect: TL706
        if seen < most:
            continue
        optimizer.step()
        optimizer.zero_grad()
        seen = 0


class Trainer:
    def run(self, loader):
        self.seen = 0
        for x, y in loader:
            F.cross_entropy(self.model(x), y).backward()  # expect: TL706
            self.seen += len(x)
            if self.seen >= self.batch_size:
                self.optimizer.step()
                self.optimizer.zero_grad()
                self.seen = 0


def as_a_share(model, optimizer, loader, args):
    seen = 0
    for x, y in loader:
        (F.cross_entropy(model(x), y) * x.size(0) / args.batch_size).backward()
        seen += x.size(0)
        if seen >= args.batch_size:
            optimizer.step()
            optimizer.zero_grad()
            seen = 0


def summed(model, optimizer, loader, most):
    seen = 0
    for x, y in loader:
        F.cross_entropy(model(x), y, reduction="sum").backward()
        seen += x.size(0)
        if seen >= most:
            optimizer.step()
            optimizer.zero_grad()
            seen = 0


def only_logged(model, optimizer, loader, every, log):
    seen = 0
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        seen += x.size(0)
        if seen >= every:
            log(loss.item())
            seen = 0
