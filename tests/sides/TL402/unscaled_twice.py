"""`unscale_` called twice: by which scaler, of which optimizer, and whether a step is between the two."""

import torch
from torch.nn.utils import clip_grad_norm_


def twice(model, optimizer, scaler, loader):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        scaler.unscale_(optimizer)
        clip_grad_norm_(model.parameters(), 1.0)
        scaler.unscale_(optimizer)  # expect: TL402
        scaler.step(optimizer)
        scaler.update()


def of_two_optimizers(encoder, head, for_encoder, for_head, scaler, loader):
    for batch in loader:
        for_encoder.zero_grad()
        for_head.zero_grad()
        scaler.scale(head(encoder(batch))).backward()
        scaler.unscale_(for_encoder)
        scaler.unscale_(for_head)
        clip_grad_norm_(encoder.parameters(), 1.0)
        scaler.step(for_encoder)
        scaler.step(for_head)
        scaler.update()


def of_two_optimizers_by_turns(encoder, head, for_encoder, for_head, scaler, loader):
    for batch in loader:
        for_encoder.zero_grad()
        for_head.zero_grad()
        scaler.scale(head(encoder(batch))).backward()
        scaler.unscale_(for_encoder)
        scaler.unscale_(for_head)
        clip_grad_norm_(encoder.parameters(), 1.0)
        scaler.unscale_(for_encoder)  # expect: TL402
        scaler.step(for_encoder)
        scaler.step(for_head)
        scaler.update()


def by_two_scalers(model, optimizer, coarse, fine, loader):
    for batch in loader:
        optimizer.zero_grad()
        coarse.scale(fine.scale(model(batch))).backward()
        coarse.unscale_(optimizer)
        fine.unscale_(optimizer)
        clip_grad_norm_(model.parameters(), 1.0)
        fine.step(optimizer)
        fine.update()


def a_step_in_between(model, optimizer, scaler, views):
    for first, second in views:
        optimizer.zero_grad()
        scaler.scale(model(first)).backward()
        scaler.unscale_(optimizer)
        clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()
        scaler.scale(model(second)).backward()
        scaler.unscale_(optimizer)
        clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()


def one_or_the_other(model, optimizer, scaler, loader, limit):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        if limit:
            scaler.unscale_(optimizer)
            clip_grad_norm_(model.parameters(), limit)
        else:
            scaler.unscale_(optimizer)
        scaler.step(optimizer)
        scaler.update()


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.scaler = torch.amp.GradScaler("cuda")

    def clip(self):
        self.scaler.unscale_(self.optimizer)
        clip_grad_norm_(self.model.parameters(), 1.0)

    def fit(self, loader):
        for batch in loader:
            self.optimizer.zero_grad()
            self.scaler.scale(self.model(batch)).backward()
            self.scaler.unscale_(self.optimizer)
            self.clip()  # expect: TL402
            self.scaler.step(self.optimizer)
            self.scaler.update()
