"""A scaler of timm steps for each window of batches."""

import torch
from timm.utils import NativeScaler


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.loss_scaler = NativeScaler()

    def as_it_is(self, loader, every):
        for i, x in enumerate(loader):
            loss = self.model(x).mean()
            last = (i + 1) % every == 0
            self.loss_scaler(loss, self.optimizer, parameters=self.model.parameters(), need_update=last)  # expect: TL706
            if (i + 1) % every == 0:
                self.optimizer.zero_grad()

    def a_share(self, loader, every):
        for i, x in enumerate(loader):
            loss = self.model(x).mean() / every
            self.loss_scaler(loss, self.optimizer, parameters=self.model.parameters(), need_update=(i + 1) % every == 0)
            if (i + 1) % every == 0:
                self.optimizer.zero_grad()
