"""States that begin anew with each sequence, are kept as values, without gradients, or masked where an episode ends."""

import torch
from torch import nn


class Context(nn.Module):
    """What is kept is detached, as a tuple or as one tensor."""

    def __init__(self, width, lstm):
        super().__init__()
        self.net = nn.LSTM(width, width) if lstm else nn.GRU(width, width)
        self.past = None

    def forward(self, x):
        x, h = self.net(x, self.past)
        if isinstance(h, tuple):
            self.past = tuple(part.detach() for part in h)
        else:
            self.past = h.detach()
        return x


class Steps(nn.Module):
    """A loop over time: the graph of one sequence is wanted."""

    def __init__(self, width):
        super().__init__()
        self.width = width
        self.cell = nn.GRUCell(width, width)
        self.out = nn.Linear(width, 1)

    def forward(self, frames):
        state = frames.new_zeros(frames.size(1), self.width)
        scores = []
        for frame in frames:
            state = self.cell(frame, state)
            scores.append(self.out(state))
        return torch.stack(scores)


class Policy(nn.Module):
    """An attribute is the state within one episode; `begin` is called where one starts."""

    def __init__(self, width, actions):
        super().__init__()
        self.memory_cell = nn.LSTMCell(width, width)
        self.head = nn.Linear(width, actions)
        self.begin(1)

    def begin(self, count):
        self.hx = torch.zeros(count, self.memory_cell.hidden_size)
        self.cx = torch.zeros(count, self.memory_cell.hidden_size)

    def forward(self, x):
        self.hx, self.cx = self.memory_cell(x, (self.hx, self.cx))
        return self.head(self.hx)


def play(policy, episodes, optimizer):
    for episode in episodes:
        policy.begin(1)
        total = 0.0
        for observation, action, reward in episode:
            total = total - policy(observation).log_softmax(-1)[0, action] * reward
        optimizer.zero_grad()
        total.backward()
        optimizer.step()


class Extended(nn.Module):
    """The memory of earlier segments: concatenated under no_grad, and read as it is."""

    def __init__(self, width, length):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(width, 8)
        self.length = length
        self.mems = None

    def remember(self, hidden):
        with torch.no_grad():
            whole = hidden if self.mems is None else torch.cat([self.mems, hidden])
            self.mems = whole[-self.length :].detach()

    def forward(self, x):
        whole = x if self.mems is None else torch.cat([self.mems, x])
        out = self.layer(whole)[-len(x) :]
        self.remember(x)
        return out


class Center(nn.Module):
    """A mean of what a teacher says, over all batches."""

    def __init__(self, width, momentum=0.9):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("center", torch.zeros(1, width))

    def forward(self, student, teacher):
        wanted = ((teacher - self.center) / 0.04).softmax(-1).detach()
        self.update(teacher)
        return -(wanted * student.log_softmax(-1)).sum(-1).mean()

    @torch.no_grad()
    def update(self, teacher):
        self.center = self.center * self.momentum + teacher.mean(0, keepdim=True) * (1 - self.momentum)


class Stateful:
    """A loop that takes the values out, as older code does it."""

    def __init__(self, net, optimizer):
        self.net, self.optimizer = net, optimizer
        self.carried = None

    def fit(self, pieces, criterion):
        for x, y in pieces:
            if self.carried is not None:
                self.carried = tuple(part.data for part in self.carried)
            out, self.carried = self.net(x, self.carried)
            self.optimizer.zero_grad()
            criterion(out, y).backward()
            self.optimizer.step()
