"""Optimizers under other names, steps through a scaler, a window of batches: nobody empties the gradients."""

import torch.optim as O
from torch import nn
from torch.cuda.amp import GradScaler as Scaler
from torch.optim import AdamW as Decayed
from tqdm import trange


def regress(net, xs, ys):
    adam = O.Adam(net.parameters(), lr=1e-3)
    measure = nn.MSELoss()
    for _ in trange(1000):
        measure(net(xs), ys).backward()
        adam.step()  # expect: TL701


def windowed(net, loader, every):
    decayed = Decayed(net.parameters())
    schedule = O.lr_scheduler.CosineAnnealingLR(decayed, 100)
    for index, (x, y) in enumerate(loader):
        loss = nn.functional.cross_entropy(net(x), y) / every
        loss.backward()
        if (index + 1) % every == 0:
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            decayed.step()  # expect: TL701
            schedule.step()


def scaled(net, loader, amp):
    optimizer = O.SGD(net.parameters(), 0.1)
    scaler = Scaler(enabled=amp)
    for batch in loader:
        loss = net(batch).sum()
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        scaler.step(optimizer)  # expect: TL701
        scaler.update()


def while_there_is_time(net, stream, optimizer, deadline, clock):
    while clock() < deadline:
        batch = next(stream)
        loss = net(batch).mean()
        loss.backward()
        optimizer.step()  # expect: TL701


def only_one_of_two(generator, critic, opt_g, opt_d, loader, judge):
    for real in loader:
        fake = generator(real.size(0))
        opt_d.zero_grad()
        judge(critic(real), critic(fake.detach())).backward()
        opt_d.step()
        judge(critic(fake), None).backward()
        opt_g.step()  # expect: TL701
