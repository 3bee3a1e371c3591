"""One of two networks steps by itself; a scaler that may be None scales, and the step never asks for it."""

import contextlib

import torch
import torch.nn.functional as F
from torch.cuda.amp import GradScaler, autocast


def vocoder(synthesizer, critic, loader, rates, half):
    for_synthesizer = torch.optim.AdamW(synthesizer.parameters(), rates[0], betas=(0.8, 0.99))
    for_critic = torch.optim.AdamW(critic.parameters(), rates[1], betas=(0.8, 0.99))
    scaler = GradScaler()
    for spectrum, wave in loader:
        with autocast(enabled=half):
            made = synthesizer(spectrum)
            judged_real, judged_made = critic(wave), critic(made.detach())
            with autocast(enabled=False):
                critic_loss = (1 - judged_real).square().mean() + judged_made.square().mean()
        for_critic.zero_grad()
        scaler.scale(critic_loss).backward()
        scaler.unscale_(for_critic)
        torch.nn.utils.clip_grad_norm_(critic.parameters(), 100.0)
        scaler.step(for_critic)
        with autocast(enabled=half):
            loss = (1 - critic(made)).square().mean() + 45 * F.l1_loss(made, wave)
        for_synthesizer.zero_grad()
        scaler.scale(loss).backward()
        for_synthesizer.step()  # expect: TL403
        scaler.update()


class Solver:
    """The loss is scaled where there is a scaler; the backward pass stands in one of three branches."""

    def __init__(self, model, optimizer, settings):
        self.model, self.optimizer, self.settings = model, optimizer, settings
        self.scaler = GradScaler() if settings.half else None

    def run_step(self, tokens, targets):
        with autocast(enabled=self.settings.half):
            loss = F.cross_entropy(self.model(tokens), targets)
        if self.scaler is not None:
            loss = self.scaler.scale(loss)
        if self.settings.sharded:
            loss.backward()
        elif self.settings.eager:
            with contextlib.nullcontext():
                loss.backward()
        else:
            loss.backward()
        self.optimizer.step()  # expect: TL403
        if self.scaler is not None:
            self.scaler.update()
        self.optimizer.zero_grad()

    def run(self, loader):
        for tokens, targets in loader:
            self.run_step(tokens, targets)
