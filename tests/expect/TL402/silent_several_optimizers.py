"""Unscaled in a loop over optimizers, under horovod, by an early return's other side, in the branch that clips, for a norm only."""

import math

import torch
from torch.nn.utils import clip_grad_norm_


class Finetuner:
    def __init__(self, unet, text_encoder, limit):
        self.unet, self.text_encoder, self.limit = unet, text_encoder, limit
        self.optimizers = [torch.optim.AdamW(unet.parameters()), torch.optim.AdamW(text_encoder.parameters())]
        self.scaler = torch.cuda.amp.GradScaler()

    def step(self, loss, due):
        self.scaler.scale(loss).backward()
        if not due:
            return
        if self.limit is not None:
            for optimizer in self.optimizers:
                self.scaler.unscale_(optimizer)
            clip_grad_norm_(parameters=self.unet.parameters(), max_norm=self.limit)
            clip_grad_norm_(parameters=self.text_encoder.parameters(), max_norm=self.limit)
        for optimizer in self.optimizers:
            self.scaler.step(optimizer)
        self.scaler.update()
        for optimizer in self.optimizers:
            optimizer.zero_grad(set_to_none=True)

    def fit(self, loader, every):
        for number, batch in enumerate(loader):
            self.step(self.unet(batch, self.text_encoder(batch)) / every, (number + 1) % every == 0)


def horovod(model, loader, optimizer, scaler, limit):
    for audio, text in loader:
        optimizer.zero_grad()
        scaler.scale(model(audio, text)).backward()
        optimizer.synchronize()
        scaler.unscale_(optimizer)
        if limit is not None:
            clip_grad_norm_(model.parameters(), limit, norm_type=2.0)
        with optimizer.skip_synchronize():
            scaler.step(optimizer)
        scaler.update()


def vocoder(generator, critic, loader, for_generator, for_critic, scaler, bound):
    """Two networks, one scaler: each is unscaled before its own clip, the scaler is updated once."""
    for mel, wave in loader:
        made = generator(mel)
        for_critic.zero_grad()
        scaler.scale(critic(made.detach()).square().mean() + (1 - critic(wave)).square().mean()).backward()
        scaler.unscale_(for_critic)
        clip_grad_norm_(critic.parameters(), bound)
        scaler.step(for_critic)
        for_generator.zero_grad()
        scaler.scale((1 - critic(made)).square().mean()).backward()
        scaler.unscale_(for_generator)
        clip_grad_norm_(generator.parameters(), bound)
        scaler.step(for_generator)
        scaler.update()


def whose_norm_is_logged(model, loader, optimizer, scaler, log):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        scale = scaler.get_scale()
        log(clip_grad_norm_(model.parameters(), math.inf) / scale)
        scaler.step(optimizer)
        scaler.update()


def late_layers(model, loader, optimizer, args, epoch):
    """The gradients of a layer are taken away for the first epochs, the others are clipped."""
    scaler = torch.amp.GradScaler() if args.half else None
    for images in loader:
        optimizer.zero_grad()
        loss = model(images)
        if scaler is None:
            loss.backward()
            if args.clip:
                clip_grad_norm_(model.parameters(), args.clip)
            if epoch < args.freeze:
                for weight in model.last.parameters():
                    weight.grad = None
            optimizer.step()
        else:
            scaler.scale(loss).backward()
            if args.clip:
                scaler.unscale_(optimizer)
                clip_grad_norm_(model.parameters(), args.clip)
            if epoch < args.freeze:
                for weight in model.last.parameters():
                    weight.grad = None
            scaler.step(optimizer)
            scaler.update()
