"""As in LMFlow (a helper that wraps); with an option more than the method has, and a list of the parameters."""

import torch
from torch import nn
from wrap import setup_fsdp


def clip(params, limit):
    return nn.utils.clip_grad_norm_(params, limit, error_if_nonfinite=True)  # expect: TL121


def train(model, loader, args):
    model = setup_fsdp(model, args)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    for number, (x, y) in enumerate(loader):
        loss = nn.functional.cross_entropy(model(x), y) / args.window
        loss.backward()
        if (number + 1) % args.window == 0:
            if args.max_grad_norm > 0:
                torch.nn.utils.clip_grad_norm_(model.parameters(), args.max_grad_norm)  # expect: TL121
            optimizer.step()
            optimizer.zero_grad()


def tune(model, loader, args):
    model = setup_fsdp(model, args)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        clip([p for p in model.parameters() if p.requires_grad], 1.0)
        optimizer.step()
