"""A step in a closure that something calls; a batch that is thrown away; two networks that take turns; a loss scaled out of sight."""

import torch
import torch.nn.functional as F
from torch.amp import GradScaler


def predictive(encoder, predictor, target, loader, mixed, timer, clip):
    optimizer = torch.optim.AdamW([*encoder.parameters(), *predictor.parameters()])
    scaler = GradScaler() if mixed else None
    for clips, masks in loader:

        def train_step():
            with torch.autocast("cuda", enabled=mixed):
                with torch.no_grad():
                    wanted = target(clips)
                loss = F.l1_loss(predictor(encoder(clips, masks)), wanted)
            if mixed:
                scaler.scale(loss).backward()
                scaler.unscale_(optimizer)
            else:
                loss.backward()
            if clip is not None:
                torch.nn.utils.clip_grad_norm_(encoder.parameters(), clip)
                torch.nn.utils.clip_grad_norm_(predictor.parameters(), clip)
            if mixed:
                scaler.step(optimizer)
                scaler.update()
            else:
                optimizer.step()
            optimizer.zero_grad()
            return float(loss)

        loss, elapsed = timer(train_step)
        print(loss, elapsed)


class Separator:
    def __init__(self, modules, limit, upper):
        self.modules, self.limit, self.upper = modules, limit, upper
        self.optimizer = torch.optim.Adam(modules.parameters())
        self.scaler = GradScaler()
        self.skipped = 0

    def fit_batch(self, batch):
        with torch.autocast("cuda"):
            loss = self.modules(batch.mixture, batch.sources)
            loss = loss[loss > -30]
            loss = loss.mean() if loss.nelement() > 0 else loss
        if loss.nelement() > 0 and loss < self.upper:
            self.scaler.scale(loss).backward()
            if self.limit >= 0:
                self.scaler.unscale_(self.optimizer)
                torch.nn.utils.clip_grad_norm_(self.modules.parameters(), self.limit)
            self.scaler.step(self.optimizer)
            self.scaler.update()
        else:
            self.skipped += 1
            loss.data = torch.tensor(0.0)
        self.optimizer.zero_grad()

    def fit(self, loader):
        for batch in loader:
            self.fit_batch(batch)


def taking_turns(coder, critic, loader, precision):
    for_coder = torch.optim.Adam(coder.parameters(), lr=1e-5)
    for_critic = torch.optim.Adam(critic.parameters(), lr=1e-5)
    scaler = GradScaler()
    for number, video in enumerate(loader):
        critic_turn = number % 2 == 1
        with torch.autocast("cuda", dtype=precision):
            made = coder(video)
        if not critic_turn:
            with torch.autocast("cuda", dtype=precision):
                loss = F.l1_loss(made, video) - critic(made).mean()
            for_coder.zero_grad()
            scaler.scale(loss).backward()
            scaler.step(for_coder)
            scaler.update()
        if critic_turn:
            loss = F.relu(1 - critic(video)).mean() + F.relu(1 + critic(made.detach().float())).mean()
            for_critic.zero_grad()
            loss.backward()
            for_critic.step()


def in_chunks(model, images, scaler):
    """One part of a batch after the other; the last one is left to the caller."""
    for part in images[:-1]:
        scaler.scale(model(part).mean()).backward()
    return model(images[-1]).mean(), False


def contrastive(model, loader, optimizer, enabled):
    scaler = GradScaler(enabled=enabled)
    for images in loader:
        optimizer.zero_grad()
        loss, again = in_chunks(model, images, scaler)
        if again:
            scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
