"""The loop of a trainer that hands the scale to it."""

import torch
from general import clip_gradients


class Loop:
    def __init__(self, model, optimizer, config):
        self.model, self.optimizer, self.config = model, optimizer, config
        self.scaler = torch.cuda.amp.GradScaler(enabled=config.training.fp16)
        self.updates = 0

    def run(self, loader):
        for report in loader:
            self.optimizer.zero_grad()
            loss = self.model(report)["loss"]
            self.scaler.scale(loss).backward()
            if self.config.training.clip_gradients:
                clip_gradients(self.model, self.updates, None, self.config, scale=self.scaler.get_scale())
            self.scaler.step(self.optimizer)
            self.scaler.update()
            self.updates += 1
