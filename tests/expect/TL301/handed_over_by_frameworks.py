"""What frameworks hand to callbacks: some of it holds the graph of the loss still, some is detached, or of an evaluation."""

import lightning
import torch
from anomalib.models import AnomalyModule
from catalyst import dl
from composer import Callback as ComposerCallback
from fastai.vision.all import Callback as FastaiCallback
from mmengine.hooks import Hook
from mmengine.model import BaseModel
from skorch import NeuralNetClassifier
from skorch.callbacks import Callback
from torch import nn


class OfSkorch(Callback):
    def on_train_begin(self, net, **kwargs):
        self.losses, self.scores = [], []

    def on_batch_end(self, net, batch=None, training=False, loss=None, y_pred=None, **kwargs):
        self.losses.append(loss)  # expect: TL301
        if not training:
            self.scores.append(y_pred)


class Penalized(NeuralNetClassifier):
    def initialize(self):
        super().initialize()
        self.losses = []
        return self

    def get_loss(self, y_pred, y_true, X=None, training=False):
        loss = super().get_loss(y_pred, y_true, X=X, training=training)
        loss = loss + sum(p.abs().sum() for p in self.module_.parameters())
        self.losses.append(loss)  # expect: TL301
        return loss


class OfFastai(FastaiCallback):
    def before_fit(self):
        self.losses, self.numbers = [], []

    def after_loss(self):
        self.losses.append(self.learn.loss)  # expect: TL301
        self.numbers.append(self.learn.loss.item())


class OfComposer(ComposerCallback):
    def __init__(self):
        self.losses, self.outputs, self.last = [], [], None

    def batch_end(self, run, logger):
        self.losses.append(run.loss)  # expect: TL301
        self.last = run.loss

    def eval_batch_end(self, run, logger):
        self.outputs.append(run.outputs)


class OfMMEngine(Hook):
    def before_run(self, runner):
        self.losses = []

    def after_train_iter(self, runner, batch_idx, data_batch=None, outputs=None):
        self.losses.append(outputs["loss"])  # expect: TL301


class Detector(BaseModel):
    def __init__(self):
        super().__init__()
        self.head, self.seen = nn.Linear(8, 2), []

    def forward(self, inputs, data_samples=None, mode="tensor"):
        out = self.head(inputs)
        if mode == "loss":
            loss = nn.functional.cross_entropy(out, data_samples)
            self.seen.append(loss)  # expect: TL301
            return {"loss": loss}
        return out


class OfCatalyst(dl.Callback):
    def on_experiment_start(self, runner):
        self.losses = []

    def on_batch_end(self, runner):
        self.losses.append(runner.batch_metrics["loss"].detach())


class OfLightning(lightning.Callback):
    def __init__(self):
        self.losses = []

    def on_train_batch_end(self, trainer, pl_module, outputs, batch, batch_idx):
        self.losses.append(outputs["loss"])


class ResetsEachEpoch(lightning.LightningModule):
    def training_step(self, batch, batch_idx):
        loss = self.net(batch).sum()
        self.losses.append(loss)  # expect: TL301
        return loss

    def on_train_epoch_start(self):
        self.losses = []


class OfAnotherPackage(AnomalyModule):
    """Of its base only the name is known; what is defined here shows that it is a module of Lightning."""

    def __init__(self):
        super().__init__()
        self.net, self.losses = nn.Linear(8, 2), []

    def training_step(self, batch, batch_idx):
        loss = self.net(batch).sum()
        self.losses.append(loss)  # expect: TL301
        return loss

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())
