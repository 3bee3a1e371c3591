"""The world."""

import torch.nn.functional as F
from agent import Agent


def train(model, loader, opt):
    agent = Agent(model, opt)
    for batch in loader:
        scores = model(batch["text"])
        agent.backward(F.cross_entropy(scores, batch["label"]))
        agent.update()
