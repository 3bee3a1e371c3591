import torch
from data import batches, held_out
from encoders import build_encoder
from engine import Trainer
from settings import optimizer
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = build_encoder()
        self.head = nn.Linear(32, 10)

    def forward(self, images):
        return self.head(self.encoder(images))


if __name__ == "__main__":
    trainer = Trainer(Net(), optimizer=optimizer)
    trainer.train(batches, held_out, 20)
