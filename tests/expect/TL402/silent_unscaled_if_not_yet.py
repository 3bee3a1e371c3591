"""A trainer that asks its scaler whether the gradients have been unscaled already (allennlp)."""

import torch
from torch.cuda.amp.grad_scaler import OptState
from torch.nn.utils import clip_grad_norm_, clip_grad_value_


class Trainer:
    def __init__(self, model, optimizer, loader, bound, largest):
        self.model = model
        self.optimizer = optimizer
        self.loader = loader
        self.bound = bound
        self.largest = largest
        self.scaler = torch.cuda.amp.GradScaler()

    def rescale(self):
        if self.bound is not None:
            self.scaler.unscale_(self.optimizer)
            clip_grad_norm_(self.model.parameters(), self.bound)

    def clip(self):
        if self.largest is not None:
            state = self.scaler._per_optimizer_states[id(self.optimizer)]
            if state["stage"] is not OptState.UNSCALED:
                self.scaler.unscale_(self.optimizer)
            clip_grad_value_(self.model.parameters(), self.largest)

    def fit(self):
        for batch in self.loader:
            self.optimizer.zero_grad()
            with torch.autocast("cuda"):
                loss = self.model(**batch)["loss"]
            self.scaler.scale(loss).backward()
            self.rescale()
            self.clip()
            self.scaler.step(self.optimizer)
            self.scaler.update()
