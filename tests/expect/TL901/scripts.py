# Modelled on: weiaicunzai/pytorch-cifar100 (epochs behind the guard), openai/guided-diffusion (main and an object that trains),
# pytorch/examples (a trainer class).
import argparse

import torch
from torch import nn


class Trainer:
    def __init__(self, model, data):
        self.model, self.data = model, data
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def _run_batch(self, batch):
        self.optimizer.zero_grad()
        loss = self.model(batch).square().mean()
        loss.backward()
        self.optimizer.step()

    def train(self, epochs):
        for _ in range(epochs):
            for batch in self.data:
                self._run_batch(batch)


def main(args):
    trainer = Trainer(nn.Linear(8, 2), torch.randn(10, 4, 8))
    trainer.train(args.epochs)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    main(parser.parse_args())  # expect: TL901
