"""The project runs with torch 1.13, too, as its requirements say: facebookresearch/detectron2."""

import torch


def train(model, x, optimizer):
    scaler = torch.cuda.amp.GradScaler()
    optimizer.zero_grad()
    with torch.cuda.amp.autocast():
        loss = model(x)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
