"""A language model that hands its state out."""

from torch import nn


class Characters(nn.Module):
    def __init__(self, size, width):
        super().__init__()
        self.embed = nn.Embedding(size, width)
        self.lstm = nn.LSTM(width, width, num_layers=2)
        self.out = nn.Linear(width, size)

    def forward(self, tokens, state=None):
        out, state = self.lstm(self.embed(tokens), state)
        return self.out(out), state
