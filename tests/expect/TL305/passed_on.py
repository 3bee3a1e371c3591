"""What frees memory is handed to the trainer, which calls it after each step."""

import gc

import torch


class Trainer:
    def __init__(self, model, optimizer, after_step, after_epoch):
        self.model, self.optimizer = model, optimizer
        self.after_step, self.after_epoch = after_step, after_epoch

    def fit(self, loader, epochs):
        for _ in range(epochs):
            for x, y in loader:
                self.optimizer.zero_grad()
                self.model(x, y).backward()
                self.optimizer.step()
                self.after_step()  # expect: TL305
            self.after_epoch()


def main(model, optimizer, loader):
    Trainer(model, optimizer, torch.cuda.empty_cache, gc.collect).fit(loader, 10)
