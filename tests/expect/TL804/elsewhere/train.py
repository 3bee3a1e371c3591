import torch
from model import Acoustic


def train(loader, optimizer):
    model, scaler = Acoustic(80, 40).cuda(), torch.amp.GradScaler()
    for batch in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = model(batch).mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
