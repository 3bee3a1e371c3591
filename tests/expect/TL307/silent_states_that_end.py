"""States that somebody ends, that hold no graph, or that are only overwritten."""

import torch
from torch import nn


def repackage(state):
    if isinstance(state, torch.Tensor):
        return state.detach()
    return tuple(repackage(part) for part in state)


class Outer(nn.Module):
    """The training loop cuts the state off, from another object."""

    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(4, 4)
        self.outer_state = None

    def forward(self, x):
        out, self.outer_state = self.rnn(x, self.outer_state)
        return out


class InPlace(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(4, 4)
        self.in_place = torch.zeros(1, 1, 4)

    def forward(self, x):
        out, self.in_place = self.rnn(x, self.in_place)
        return out

    def detach(self):
        self.in_place.detach_()


class Fresh(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(4, 4)

    def begin(self, size):
        return torch.zeros(1, size, 4), torch.zeros(1, size, 4)

    def forward(self, x):
        self.fresh = self.begin(x.size(1))
        out, self.fresh = self.rnn(x, self.fresh)
        return out


class Parted(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(4, 4)
        self.parted = None

    def forward(self, x):
        state = tuple(part.detach() for part in self.parted) if self.parted is not None else None
        out, self.parted = self.rnn(x, state)
        return out


class Statistics(nn.Module):
    """Numbers and averages without gradients."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.count = 0
        self.register_buffer("average", torch.zeros(4))

    def forward(self, x):
        self.count = self.count + 1
        with torch.no_grad():
            self.average = 0.9 * self.average + 0.1 * self.layer(x).mean(0)
        return self.layer(x)


class Networks:
    """As image translation does it: everything of one iteration is an attribute."""

    def __init__(self, generator, critic, optimizers):
        self.generator, self.critic, self.optimizers = generator, critic, optimizers

    def forward(self, real):
        self.fake = self.generator(real)
        self.cycled = self.generator(self.fake)

    def optimize(self, real):
        self.forward(real)
        self.loss = self.critic(self.fake).mean() + (self.cycled - real).abs().mean()
        self.optimizers[0].zero_grad()
        self.loss.backward()
        self.optimizers[0].step()


def train(model, batches, optimizer):
    for x in batches:
        model.outer_state = repackage(model.outer_state) if model.outer_state is not None else None
        loss = model(x).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
