"""The only file, written over again and again."""
# Modelled on karpathy/nanoGPT, kuangliu/pytorch-cifar, chenyuntc/pytorch-book, yenchenlin/nerf-pytorch, SeanNaren/deepspeech.pytorch, lucidrains/DALLE-pytorch.

import os
from pathlib import Path

import torch
from torch import optim

STATE_FILE = "state.pth"


def by_steps(model, get_batch, out_dir, max_iters):
    optimizer = optim.AdamW(model.parameters())
    start = 0
    if os.path.exists("out/ckpt.pt"):
        checkpoint = torch.load("out/ckpt.pt", map_location="cpu")
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        start = checkpoint["iter_num"]
    while start < max_iters:
        if start % 2000 == 0:
            checkpoint = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "iter_num": start}
            torch.save(checkpoint, "out/ckpt.pt")  # expect: TL607
        optimizer.zero_grad()
        model(get_batch()).mean().backward()
        optimizer.step()
        start += 1


def from_a_constant(model, loader, epochs):
    optimizer = optim.Adam(model.parameters())
    if Path(STATE_FILE).exists():
        kept = torch.load(STATE_FILE, map_location="cpu")
        model.load_state_dict(kept["m"])
        optimizer.load_state_dict(kept["o"])
    for _ in range(epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        torch.save({"m": model.state_dict(), "o": optimizer.state_dict()}, STATE_FILE)  # expect: TL607


def write(state, folder, name="latest.tar"):
    torch.save(state, os.path.join(folder, name))  # expect: TL607


def through_a_helper(args, model, loader):
    optimizer = optim.Adam(model.parameters())
    old = torch.load(os.path.join(args.folder, "latest.tar"), map_location="cpu")
    model.load_state_dict(old["net"])
    optimizer.load_state_dict(old["adam"])
    for epoch in range(old["epoch"] + 1, args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        write({"net": model.state_dict(), "adam": optimizer.state_dict(), "epoch": epoch}, args.folder)


def when_it_is_time(model, batches, optimizer):
    kept = {"step": 0}
    if os.path.exists("./run/ckpt.tar"):
        kept = torch.load("./run/ckpt.tar", map_location="cpu")
        model.load_state_dict(kept["network"])
        optimizer.load_state_dict(kept["adam_state"])
    for step in range(kept["step"] + 1, 200_000):
        optimizer.zero_grad()
        model(next(batches)).mean().backward()
        optimizer.step()
        if step % 10_000 == 0:
            path = os.path.join(".", "run", "ckpt.tar")
            state = {"network": model.state_dict(), "adam_state": optimizer.state_dict()}
            state["step"] = step
            torch.save(state, path)  # expect: TL607
            print(f"Saved {path}")
