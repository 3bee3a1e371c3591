"""Gradients of a scaled loss, clipped as they are: in loops of several shapes."""

import torch
import torch.nn as nn
from torch.cuda import amp
from torch.nn.utils import clip_grad_norm_ as limit
from tqdm import tqdm


def segmentation(model, loader, epochs, lr, use_amp, clipping=1.0):
    optimizer = torch.optim.RMSprop(model.parameters(), lr=lr, momentum=0.9)
    grad_scaler = torch.cuda.amp.GradScaler(enabled=use_amp)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(1, epochs + 1):
        with tqdm(total=len(loader), desc=f"{epoch}") as bar:
            for batch in loader:
                with torch.autocast("cuda", enabled=use_amp):
                    loss = criterion(model(batch["image"]), batch["mask"])
                optimizer.zero_grad(set_to_none=True)
                grad_scaler.scale(loss).backward()
                nn.utils.clip_grad_norm_(model.parameters(), clipping)  # expect: TL402
                grad_scaler.step(optimizer)
                grad_scaler.update()
                bar.update(batch["image"].shape[0])


def accumulated(model, criterion, optimizer, loader, every, max_norm):
    scaler = amp.GradScaler()
    for index, (data, target) in enumerate(loader):
        with amp.autocast():
            loss = criterion(model(data), target) / every
        loss = scaler.scale(loss)
        loss.backward()
        if (index + 1) % every:
            continue
        if max_norm > 0:
            limit(model.parameters(), max_norm)  # expect: TL402
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()


def unscaled_too_late(model, optimizer, loader, scaler):
    for batch in loader:
        scaler.scale(model(batch).mean()).backward()
        total = limit(model.parameters(), 0.25)  # expect: TL402
        scaler.unscale_(optimizer)
        print(total)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad()


def chosen(model, optimizer, loader, args):
    scaler = amp.GradScaler() if args.half else None
    for batch in loader:
        optimizer.zero_grad()
        loss = model(batch)
        (scaler.scale(loss) if scaler is not None else loss).backward()
        limit(model.parameters(), args.clip)  # expect: TL402
        if scaler is not None:
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()


def adversarial(generator, critic, for_generator, for_critic, loader, judge):
    scaler = amp.GradScaler()
    for real, noise in loader:
        for_critic.zero_grad()
        scaler.scale(judge(critic(real), critic(generator(noise).detach()))).backward()
        scaler.unscale_(for_critic)
        limit(critic.parameters(), 1.0)
        scaler.step(for_critic)
        for_generator.zero_grad()
        scaler.scale(-critic(generator(noise)).mean()).backward()
        limit(generator.parameters(), 1.0)  # expect: TL402
        scaler.step(for_generator)
        scaler.update()
