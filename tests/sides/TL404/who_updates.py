"""A scaler that steps: who updates it, where, and whether it is on."""

import torch


def nobody(model, optimizer, scaler, loader):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        scaler.step(optimizer)  # expect: TL404


def in_each_round(model, optimizer, scaler, loader):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        scaler.step(optimizer)
        scaler.update()


def behind_the_loop(model, optimizer, scaler, loader):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        scaler.step(optimizer)  # expect: TL404
    scaler.update()


def switched_off(model, optimizer, loader):
    scaler = torch.amp.GradScaler("cuda", enabled=False)
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        scaler.step(optimizer)


def switched_by_a_setting(model, optimizer, loader, half):
    scaler = torch.amp.GradScaler("cuda", enabled=half)
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        scaler.step(optimizer)  # expect: TL404


def both_optimizers(encoder, head, for_encoder, for_head, scaler, loader):
    for batch in loader:
        for_encoder.zero_grad()
        for_head.zero_grad()
        scaler.scale(head(encoder(batch))).backward()
        scaler.step(for_encoder)
        scaler.step(for_head)  # expect: TL404


def each_optimizer(model, optimizers, scaler, loader):
    for batch in loader:
        model.zero_grad()
        scaler.scale(model(batch)).backward()
        for optimizer in optimizers:
            scaler.step(optimizer)  # expect: TL404


def handed_on(model, optimizer, scaler, loader, callback):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        scaler.step(optimizer)
        callback(scaler)


def one_step(model, optimizer, scaler, batch):
    optimizer.zero_grad()
    scaler.scale(model(batch)).backward()
    scaler.step(optimizer)


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.scaler = torch.amp.GradScaler("cuda")

    def apply(self):
        self.scaler.step(self.optimizer)  # expect: TL404
        self.optimizer.zero_grad()

    def fit(self, loader):
        for batch in loader:
            self.scaler.scale(self.model(batch)).backward()
            self.apply()


class UpdatingTrainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.scaler = torch.amp.GradScaler("cuda")

    def apply(self):
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()

    def fit(self, loader):
        for batch in loader:
            self.scaler.scale(self.model(batch)).backward()
            self.apply()
