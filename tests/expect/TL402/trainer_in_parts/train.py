"""The loop."""

import torch
from brain import Brain


class Recognizer(Brain):
    def compute(self, batch):
        return self.modules(batch).mean()


def main(model, loader, epochs):
    brain = Recognizer(model, torch.optim.Adam, True, 5.0)
    for _ in range(epochs):
        for batch in loader:
            brain.fit_batch(batch)
