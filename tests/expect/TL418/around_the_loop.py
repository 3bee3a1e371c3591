"""At the top of a script; around all epochs; in each step of preference tuning, under the bar of the epoch."""

import torch
from tqdm import trange

torch.autograd.set_detect_anomaly(True)  # expect: TL418


def fit(model, loader, optimizer, epochs):
    with torch.autograd.set_detect_anomaly(True):  # expect: TL418
        for _ in trange(epochs):
            for batch in loader:
                optimizer.zero_grad()
                model(batch).backward()
                optimizer.step()


class Preferences:
    def __init__(self, actor, booster, accumulate):
        self.actor, self.booster, self.accumulate = actor, booster, accumulate

    def _train(self, batches):
        self.actor.train()
        for batch in batches:
            torch.autograd.set_detect_anomaly(True)  # expect: TL418
            chosen, rejected = self.actor(batch["chosen"]), self.actor(batch["rejected"])
            self.booster.backward((rejected - chosen).mean() / self.accumulate)
