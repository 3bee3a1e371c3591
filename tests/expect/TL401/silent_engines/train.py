"""Frameworks that scale for their users."""

import deepspeed
import lightning
import torch
import transformers
from accelerate import Accelerator
from lightning.fabric import Fabric


def deepspeed_engine(args, model, loader):
    engine, optimizer, _, _ = deepspeed.initialize(args=args, model=model)
    for batch in loader:
        with torch.autocast("cuda", dtype=torch.float16):
            loss = engine(batch)
        engine.backward(loss)
        engine.step()


def deepspeed_engine_and_plain_call(args, model, loader):
    engine, *_ = deepspeed.initialize(args=args, model=model)
    for batch in loader:
        with torch.autocast("cuda", dtype=torch.float16):
            loss = engine(batch)
        loss.backward()
        engine.step()


def accelerated(model, optimizer, loader):
    accelerator = Accelerator(mixed_precision="fp16")
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for x, y in loader:
        with accelerator.autocast():
            loss = model(x, y)
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()


def accelerated_elsewhere(model, optimizer, loader, accelerator):
    for x, y in loader:
        with torch.autocast("cuda"):
            loss = model(x, y)
        accelerator.backward(loss)
        optimizer.step()
        optimizer.zero_grad()


def with_fabric(model, optimizer, loader):
    fabric = Fabric(precision="16-mixed")
    model, optimizer = fabric.setup(model, optimizer)
    for x, y in loader:
        with fabric.autocast():
            loss = model(x, y)
        fabric.backward(loss)
        optimizer.step()
        optimizer.zero_grad()


class Module(lightning.LightningModule):
    def training_step(self, batch, index):
        with torch.autocast("cuda"):
            loss = self.network(batch)
        return loss


class ManualModule(lightning.LightningModule):
    def training_step(self, batch, index):
        optimizer = self.optimizers()
        with torch.autocast("cuda"):
            loss = self.network(batch)
        self.manual_backward(loss)
        optimizer.step()


class Tuner(transformers.Trainer):
    def training_step(self, model, inputs):
        with torch.autocast("cuda"):
            loss = self.compute_loss(model, inputs)
        self.accelerator.backward(loss)
        return loss.detach()


def fairseq_style(task, model, optimizer, samples):
    for sample in samples:
        with torch.cuda.amp.autocast():
            loss, size, log = task.criterion(model, sample)
        optimizer.backward(loss)
        optimizer.step()
