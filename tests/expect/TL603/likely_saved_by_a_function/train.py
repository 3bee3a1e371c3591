"""A scaler whose training calls a function of another file that saves the optimizer."""
# Modelled on svc-develop-team/so-vits-svc.

import torch
from saving import load_checkpoint, save_checkpoint
from torch.cuda.amp import GradScaler


def run(args, model, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    start = load_checkpoint(args.path, model, optimizer)
    scaler = GradScaler(enabled=args.half)
    for epoch in range(start, args.epochs):
        train(args, model, loader, optimizer, scaler, epoch)


def train(args, model, loader, optimizer, scaler, epoch):
    for batch in loader:
        optimizer.zero_grad()
        loss = model(batch).mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
    save_checkpoint(args.path, model, optimizer, epoch + 1)
