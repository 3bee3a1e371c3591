"""An engine with an optimizer and a schedule, each advanced by a method."""

import torch


class Engine:
    def __init__(self, model, lr, steps):
        self.model = model
        self._optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
        self._schedule = torch.optim.lr_scheduler.CosineAnnealingLR(self._optimizer, steps)

    def update_lr(self):
        if self._schedule is not None:
            self._schedule.step()  # expect: TL703

    def forward_backward(self, batch):
        loss = self.model(**batch).loss
        self._optimizer.zero_grad()
        loss.backward()
        self._optimizer.step()
        return {"loss": loss.item()}
