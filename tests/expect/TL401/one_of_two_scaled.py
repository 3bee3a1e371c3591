"""Two networks, one scaler: the loss of one is scaled, the other's is not."""

import torch
from torch.cuda.amp import GradScaler, autocast


def generator_left_out(generator, critic, for_generator, for_critic, loader, judge):
    scaler = GradScaler()
    for real, noise in loader:
        with autocast():
            fake = generator(noise)
            critic_loss = judge(critic(real), True) + judge(critic(fake.detach()), False)
        for_critic.zero_grad()
        scaler.scale(critic_loss).backward()
        scaler.step(for_critic)
        with autocast():
            generator_loss = judge(critic(fake), True)
        for_generator.zero_grad()
        generator_loss.backward()  # expect: TL401
        for_generator.step()
        scaler.update()


def both_scaled(generator, critic, for_generator, for_critic, loader, judge):
    scaler = GradScaler()
    for real, noise in loader:
        with autocast():
            fake = generator(noise)
            critic_loss = judge(critic(real), True) + judge(critic(fake.detach()), False)
        for_critic.zero_grad()
        scaler.scale(critic_loss).backward()
        scaler.step(for_critic)
        with autocast():
            generator_loss = judge(critic(fake), True)
        for_generator.zero_grad()
        scaler.scale(generator_loss).backward()
        scaler.step(for_generator)
        scaler.update()


def other_network_in_float32(model, probe, optimizer, probe_optimizer, loader, criterion):
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        with torch.autocast("cuda"):
            features = model(x)
            loss = criterion(features, y)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        optimizer.zero_grad()
        scaler.update()
        probe_loss = criterion(probe(features.detach().float()), y)
        probe_loss.backward()
        probe_optimizer.step()
        probe_optimizer.zero_grad()


def scaled_or_not(model, optimizer, loader, criterion, mixed):
    scaler = torch.amp.GradScaler("cuda") if mixed else None
    for x, y in loader:
        with torch.autocast("cuda", enabled=mixed):
            loss = criterion(model(x), y)
        if scaler is not None:
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            optimizer.zero_grad()
            scaler.update()
        else:
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
