"""Clips in a step that returns its loss to a framework, which computes the gradients when the step has run."""

import lightning as L
import torch
from torch.nn.utils import clip_grad_norm_, clip_grad_value_
from transformers import Trainer


class Clipped(L.LightningModule):
    def training_step(self, batch, batch_idx):
        loss = self.model(batch).mean()
        norm = clip_grad_norm_(self.model.parameters(), 1.0)  # expect: TL420
        self.log("gradient_norm", norm)
        return loss

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


class ClippedByAMethod(L.LightningModule):
    def bound(self):
        if self.limit is not None:
            clip_grad_value_(self.parameters(), self.limit)  # expect: TL420

    def training_step(self, batch, batch_idx):
        loss = self.model(batch).mean()
        self.bound()
        return {"loss": loss}


class ClippingTrainer(Trainer):
    def compute_loss(self, model, inputs, return_outputs=False, **kwargs):
        outputs = model(**inputs)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)  # expect: TL420
        return (outputs.loss, outputs) if return_outputs else outputs.loss


class Manual(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False

    def training_step(self, batch, batch_idx):
        optimizer = self.optimizers()
        optimizer.zero_grad()
        loss = self.model(batch).mean()
        self.manual_backward(loss)
        clip_grad_norm_(self.model.parameters(), 1.0)
        optimizer.step()
        return loss


class Hooked(L.LightningModule):
    def training_step(self, batch, batch_idx):
        return self.model(batch).mean()

    def configure_gradient_clipping(self, optimizer, gradient_clip_val=None, gradient_clip_algorithm=None):
        clip_grad_norm_(self.model.parameters(), 1.0)

    def on_before_optimizer_step(self, optimizer):
        clip_grad_norm_(self.head.parameters(), 1.0)

    def on_after_backward(self):
        clip_grad_value_(self.tail.parameters(), 1.0)


class Measured(L.LightningModule):
    def training_step(self, batch, batch_idx):
        loss = self.model(batch).mean()
        self.log("left_over", clip_grad_norm_(self.model.parameters(), float("inf")))
        return loss


class Inner(L.LightningModule):
    """Steps an optimizer of its own inside."""

    def training_step(self, batch, batch_idx):
        self.adapt(batch)
        return self.model(batch).mean()

    def adapt(self, batch):
        self.inner.zero_grad()
        self.head(batch).mean().backward()
        clip_grad_norm_(self.head.parameters(), 1.0)
        self.inner.step()


class Engine:
    """No framework's class: whoever calls the step may have computed gradients before."""

    def training_step(self, batch, batch_idx):
        clip_grad_norm_(self.model.parameters(), 1.0)
        return self.model(batch).mean()
