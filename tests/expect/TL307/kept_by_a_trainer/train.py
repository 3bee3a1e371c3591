"""A trainer that keeps the state from piece to piece."""

import torch
import torch.nn.functional as F
from net import Characters


class Trainer:
    def __init__(self, size):
        self.model = Characters(size, 256)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=20.0)
        self.state = None

    def step(self, tokens, targets):
        logits, self.state = self.model(tokens, self.state)  # expect: TL307
        loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
        self.optimizer.zero_grad()
        loss.backward(retain_graph=True)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 0.25)
        self.optimizer.step()
        return loss.item()

    def run(self, pieces):
        self.model.train()
        for tokens, targets in pieces:
            print(self.step(tokens, targets))
