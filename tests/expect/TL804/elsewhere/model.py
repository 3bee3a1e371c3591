"""A model whose training, in another file, computes in half precision; as the acoustic models of icefall would be."""

from torch import nn


class Acoustic(nn.Module):
    def __init__(self, features, classes):
        super().__init__()
        self.layers = nn.ModuleList([nn.LSTM(input_size=500, hidden_size=500) for _ in range(5)])  # expect: TL804
        self.encoder = nn.TransformerEncoderLayer(d_model=512, nhead=8, dim_feedforward=2050)  # expect: TL804
        self.end = nn.Linear(500, classes)
