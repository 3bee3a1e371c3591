"""Trainers that can do it in several ways: each way's step goes with its own backward pass."""

import math

import torch
from torch.nn.utils import clip_grad_norm_


class Optimizer:
    """Wraps an optimizer; a word says which half precision it is."""

    def __init__(self, inner, kind, limit):
        self.inner, self.kind, self.limit = inner, kind, limit
        self.native = kind == "native"
        self.scaler = torch.cuda.amp.GradScaler() if self.native else None

    def zero_grad(self):
        self.inner.zero_grad()

    def backward(self, loss):
        if self.kind == "legacy":
            self.inner.backward(loss)
        elif self.native:
            self.scaler.scale(loss).backward()
        else:
            loss.backward()

    def step(self):
        if self.native:
            self.scaler.unscale_(self.inner)
        for group in self.inner.param_groups:
            if self.limit > 0 and self.kind != "legacy":
                clip_grad_norm_(group["params"], self.limit)
        if self.native:
            self.scaler.step(self.inner)
            self.scaler.update()
        else:
            self.inner.step()


def translate(model, loader, kind):
    optimizer = Optimizer(torch.optim.Adam(model.parameters()), kind, 5.0)
    for source, target in loader:
        optimizer.zero_grad()
        optimizer.backward(model(source, target))
        optimizer.step()


def by_name(model, loader, optimizers, criterion, scaler, horovod):
    """A dict of optimizers or one; with horovod the gradients are summed before the scaler looks at them."""
    for audio, labels in loader:
        if isinstance(optimizers, dict):
            for each in optimizers.values():
                each.zero_grad()
        else:
            optimizers.zero_grad()
        with torch.cuda.amp.autocast():
            loss = criterion(model(audio), labels)
        if isinstance(optimizers, dict):
            if scaler is not None:
                scaler.scale(loss).backward()
                for each in optimizers.values():
                    if horovod:
                        each.synchronize()
                        scaler.unscale_(each)
                        with each.skip_synchronize():
                            scaler.step(each)
                    else:
                        scaler.step(each)
                scaler.update()
            else:
                loss.backward()
                for each in optimizers.values():
                    each.step()
        elif scaler is not None:
            scaler.scale(loss).backward()
            scaler.step(optimizers)
            scaler.update()
        else:
            loss.backward()
            optimizers.step()


class Trainer:
    """Four engines, of which one is used."""

    def __init__(self, args, model, optimizer, schedule):
        self.args, self.model, self.optimizer, self.schedule = args, model, optimizer, schedule
        self.use_native = args.fp16 and args.backend == "amp"
        self.use_apex = args.fp16 and args.backend == "apex"
        self.deepspeed = args.deepspeed
        if self.use_native:
            self.scaler = torch.cuda.amp.GradScaler()

    def training_step(self, inputs):
        self.model.train()
        loss = self.model(**inputs)[0] / self.args.accumulate
        if self.use_native:
            self.scaler.scale(loss).backward()
        elif self.use_apex:
            from apex import amp

            with amp.scale_loss(loss, self.optimizer) as scaled:
                scaled.backward()
        elif self.deepspeed:
            self.model.backward(loss)
        else:
            loss.backward()
        return loss.detach()

    def train(self, loader):
        self.model.zero_grad()
        for step, inputs in enumerate(loader):
            self.training_step(inputs)
            if (step + 1) % self.args.accumulate == 0:
                if self.deepspeed:
                    self.model.step()
                elif self.use_native:
                    self.scaler.step(self.optimizer)
                    self.scaler.update()
                else:
                    self.optimizer.step()
                self.schedule.step()
                self.model.zero_grad()


class Stepper:
    """bfloat16 needs no scaler: there is one for float16 only."""

    def __init__(self, precision, optimizer, parameters, clip, window):
        self.half = precision == 1
        self.context = torch.autocast("cuda", dtype=torch.float16 if self.half else torch.bfloat16)
        self.scaler = torch.cuda.amp.GradScaler(init_scale=2.0**11, growth_interval=1000) if self.half else None
        self.optimizer, self.parameters, self.clip = optimizer, parameters, clip
        self.share = 1 / window

    def backward_clip_step(self, stepping, loss):
        loss = loss.mul(self.share)
        if self.scaler is not None:
            self.scaler.scale(loss).backward(retain_graph=False)
        else:
            loss.backward(retain_graph=False)
        if stepping:
            if self.scaler is not None:
                self.scaler.unscale_(self.optimizer)
            if self.clip > 0:
                clip_grad_norm_(self.parameters, self.clip)
            if self.scaler is not None:
                self.scaler.step(self.optimizer)
                scale = self.scaler.get_scale()
                self.scaler.update(new_scale=32768.0) if scale > 32768.0 else self.scaler.update()
                print(math.log2(scale))
            else:
                self.optimizer.step()
            self.optimizer.zero_grad(set_to_none=True)


def autoregressive(model, loader, optimizer, args):
    stepper = Stepper(args.precision, optimizer, list(model.parameters()), 2.0, args.window)
    for number, (images, labels) in enumerate(loader):
        with stepper.context:
            loss = model(images, labels)
        stepper.backward_clip_step((number + 1) % args.window == 0, loss)
