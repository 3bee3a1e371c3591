"""The process computes in bfloat16 wherever autocast is not told otherwise."""

import torch

torch.set_autocast_gpu_dtype(torch.bfloat16)


def train(model, optimizer, loader):
    for batch in loader:
        with torch.cuda.amp.autocast():
            loss = model(batch)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
