"""The scaler is updated: behind the arms of a test, by who got it, or where the same is asked again."""

import torch
from closing import Finisher


def behind_the_arms(model, criterion, optimizer, loader, clip, meter):
    scaler = torch.amp.GradScaler("cuda")
    for images, labels in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = criterion(model(images), labels)
        scaler.scale(loss).backward()
        if clip > 0:
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
            scaler.step(optimizer)
        else:
            scaler.step(optimizer)
        scaler.update()
        meter.update(loss.item())


def by_who_got_it(model, criterion, optimizer, loader):
    scaler = torch.amp.GradScaler("cuda")
    finisher = Finisher(scaler)
    for images, labels in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = criterion(model(images), labels)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        finisher.step()


def asked_again(model, criterion, optimizer, loader, use_amp, every):
    scaler = torch.amp.GradScaler("cuda")
    for number, (images, labels) in enumerate(loader):
        with torch.autocast("cuda", enabled=use_amp):
            loss = criterion(model(images), labels)
        if use_amp:
            scaler.scale(loss / every).backward()
        else:
            (loss / every).backward()
        if (number + 1) % every != 0:
            continue
        if use_amp:
            scaler.step(optimizer)
        else:
            optimizer.step()
        optimizer.zero_grad()
        if use_amp:
            scaler.update()


def one_scaler_for_both(generator, critic, of_generator, of_critic, loader, judge):
    scaler = torch.amp.GradScaler("cuda")
    for real, noise in loader:
        of_critic.zero_grad()
        with torch.autocast("cuda"):
            fake = generator(noise)
            loss = judge(critic(real), critic(fake.detach()))
        scaler.scale(loss).backward()
        scaler.step(of_critic)
        of_generator.zero_grad()
        with torch.autocast("cuda"):
            loss = -critic(fake).mean()
        scaler.scale(loss).backward()
        scaler.step(of_generator)
        scaler.update()
