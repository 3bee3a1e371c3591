import torch
from losses import DiceAndCrossEntropy
from torch.cuda import amp


def train(net, loader, optimizer, use_amp):
    scaler = amp.GradScaler(enabled=use_amp)
    loss_fn = DiceAndCrossEntropy(0.5)
    for images, masks in loader:
        with amp.autocast(enabled=use_amp):
            loss = loss_fn(net(images), masks)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        optimizer.zero_grad()
        scaler.update()
