"""The first of two parts is measured without waiting: what waits belongs to the second, or comes behind its work."""

import os
import time

import torch

if os.environ.get("DEBUG"):
    os.environ["CUDA_LAUNCH_BLOCKING"] = "1"


def step(model, optimizer, x):
    model.cuda()
    t0 = time.time()
    loss = model(x).mean()
    t1 = time.time()  # expect: TL802
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    torch.cuda.synchronize()
    t2 = time.time()
    print("forward", t1 - t0, "backward", t2 - t1)


def fetched(model, x):
    model.cuda()
    t0 = time.time()
    out = model(x)
    t1 = time.time()  # expect: TL802
    out = out.cpu()
    t2 = time.time()
    return out, t1 - t0, t2 - t1
