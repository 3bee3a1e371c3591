"""Optimizers that a comprehension makes, one for each key."""

import torch
import torch.nn.functional as F


def build_optimizers(nets, lrs):
    return {name: torch.optim.Adam(net.parameters(), lr=lrs[name]) for name, net in nets.items()}


def train(gen, disc, loader):
    nets = {"g": gen.cuda(), "d": disc.cuda()}
    opts = build_optimizers(nets, {"g": 1e-4, "d": 4e-4})
    scaler = torch.amp.GradScaler("cuda")
    for real in loader:
        real = real.cuda()
        with torch.autocast("cuda", dtype=torch.float16):
            fake = nets["g"](torch.randn_like(real))
            d_loss = F.softplus(nets["d"](fake.detach())).mean() + F.softplus(-nets["d"](real)).mean()
        opts["d"].zero_grad()
        scaler.scale(d_loss).backward()
        scaler.step(opts["d"])
        with torch.autocast("cuda", dtype=torch.float16):
            g_loss = F.softplus(-nets["d"](fake)).mean()
        opts["g"].zero_grad()
        scaler.scale(g_loss).backward()
        scaler.step(opts["g"])
        scaler.update()
