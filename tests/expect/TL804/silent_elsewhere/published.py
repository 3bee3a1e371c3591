import torch
from torch import nn


class Published(nn.Module):
    def __init__(self, width=500):
        super().__init__()
        self.head = nn.Linear(768, 50257)
        self.rnn = nn.LSTM(300, 300)
        self.chosen = nn.LSTM(width, width)

    @classmethod
    def from_pretrained(cls, path):
        model = cls().half()
        model.load_state_dict(torch.load(path, weights_only=True, map_location="cpu"))
        return model


def images():
    return nn.Conv2d(3, 150, 3), nn.Embedding(50257, 768), torch.zeros(1).half()
