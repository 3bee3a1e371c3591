import torch
from helpers import blended, on_xla, spans
from table import MODELS, enrol, remark
from torch import nn


class Base(nn.Module):
    """What all models have in common."""

    def project(self, values):
        return self.out(values)


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, values, factor):
        return values * factor


@enrol("hiding")
class Hiding(Base):
    def __init__(self, settings):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(8, 8) for _ in range(settings.depth)])
        self.out = nn.Linear(8, 8)
        self.filler = nn.Parameter(torch.zeros(8))
        self.share = settings.share

    def forward(self, source, padding=None, hide=True):
        for layer in self.layers:
            source = layer(source)
        values = Scaled.apply(source, 2.0)
        if padding is not None and padding.any():  # expect: TL502
            values = values * padding
        if hide:
            values, chosen = self.hidden(values)
            targets = values[chosen].view(values.size(0), -1)  # expect: TL502
        else:
            chosen, targets = None, values
        return self.compared(self.project(values), targets, chosen)

    def hidden(self, values):
        if self.share > 0:
            chosen = torch.from_numpy(spans(values.shape[:2], self.share)).to(values.device)
            values[chosen] = self.filler  # expect: TL502
        else:
            chosen = None
        return values, chosen

    def compared(self, values, targets, chosen):
        same = values == targets
        values[same] = -1.0  # expect: TL502
        return values


@enrol("whole", size="large")
class Whole(Base):
    """The same without shapes or ways that depend on values, wherever it runs on XLA."""

    def __init__(self, settings):
        super().__init__()
        self.out = nn.Linear(8, 8)
        self.filler = nn.Parameter(torch.zeros(8))

    def forward(self, source, padding=None, hide=True, share=0.5):
        values = self.out(source)
        if not on_xla(values) and padding.any():
            values = values * padding
        chosen = torch.from_numpy(spans(values.shape[:2], share)).to(values.device)
        values = blended(values, chosen, self.filler)
        if not on_xla(values):
            values = values[chosen].view(values.size(0), -1)
        if hide and share > 0.1:
            values = values[: source.shape[1] // 2]
        if not self.training:
            return values[values > 0]
        return torch.where(values > 0, values, torch.zeros_like(values))


@enrol("speaking")
class Speaking(Base):
    """Nobody trains it: what it returns holds no graph."""

    def forward(self, codes):
        mask = codes >= 0
        return self.project(codes[mask].unsqueeze(0)).detach().squeeze()


@enrol("frozen")
class Frozen(Base):
    @torch.no_grad()
    def forward(self, codes):
        return codes[codes >= 0]


@remark("not in the table")
class Remarked(Base):
    def forward(self, codes):
        return self.project(codes[codes >= 0])


class Plain(Base):
    """No setting names it."""

    def forward(self, codes):
        return self.project(codes[codes >= 0])


@enrol("words")
class Words:
    """No module."""

    def forward(self, codes):
        return codes[codes >= 0]


def known():
    return sorted(MODELS)
