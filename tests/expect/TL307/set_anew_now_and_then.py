"""States that a method sets anew, which nobody is seen to call where the chain grows; and some that begin anew in each call."""

import numpy as np
import torch
from torch import nn


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(4, 4)
        self.head = nn.Linear(4, 2)

    def forward(self, seen, state):
        out, state = self.rnn(seen, state)
        return self.head(out), state


class Player:
    def __init__(self, path):
        self.policy = Policy()
        self.policy.load_state_dict(torch.load(path))
        self.policy.eval()
        self.memory = np.zeros((1, 1, 4))

    def reset(self):
        self.memory = np.zeros((1, 1, 4))

    def act(self, seen):
        scores, self.memory = self.policy(seen, self.memory)  # expect-likely: TL307
        return scores.detach().cpu().numpy().argmax()


class Learner:
    """What goes out may be learned from: a sequence has one graph, which ends where the state is set anew."""

    def __init__(self):
        self.policy = Policy()
        self.trace = torch.zeros(1, 1, 4)

    def reset(self):
        self.trace = torch.zeros(1, 1, 4)

    def act(self, seen):
        scores, self.trace = self.policy(seen, self.trace)
        print(scores.detach().mean())
        return scores.softmax(-1)


class Speaker(nn.Module):
    """Each sentence begins with a new state: that is the graph that is wanted."""

    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(4, 4)

    def begin(self, sounds):
        self.hidden = sounds.new_zeros(1, 4)

    def speak(self, sound):
        self.hidden, self.other = self.cell(sound, (self.hidden, sound))
        return self.hidden

    def forward(self, sounds):
        self.begin(sounds)
        return torch.stack([self.speak(sound) for sound in sounds])


class Cut:
    """Somebody else cuts the state off."""

    def __init__(self):
        self.policy = Policy()
        self.cut = torch.zeros(1, 1, 4)

    def reset(self):
        self.cut = torch.zeros(1, 1, 4)

    def end_of_step(self):
        self.cut.detach_()

    def act(self, seen):
        scores, self.cut = self.policy(seen, self.cut)
        return scores


class Outside:
    def __init__(self):
        self.policy = Policy()
        self.left = torch.zeros(1, 1, 4)

    def reset(self):
        self.left = torch.zeros(1, 1, 4)

    def act(self, seen):
        scores, self.left = self.policy(seen, self.left)
        return scores


def from_outside(player, seen):
    scores = player.act(seen)
    player.left = torch.zeros(1, 1, 4)
    return scores


def train(model, optimizer, batches):
    for batch in batches:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
