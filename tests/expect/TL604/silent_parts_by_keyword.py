"""A checkpoint that a comprehension makes of keyword arguments."""

import enum

import torch


class Key(str, enum.Enum):
    MODEL = "model"
    OPTIM = "optimizer"
    EPOCH = "epoch"
    BEST = "best"


def dump(path, **parts):
    torch.save({k: (v.state_dict() if hasattr(v, "state_dict") else v) for k, v in parts.items()}, path)


def resume(path, model, opt):
    ckpt = torch.load(path, map_location="cpu")
    model.load_state_dict(ckpt["model"])
    opt.load_state_dict(ckpt["optimizer"])
    return ckpt["epoch"] + 1, ckpt["best_acc"]


def main(model, loader, epochs, path="last.pt", restart=False):
    opt = torch.optim.Adam(model.parameters())
    start, best = resume(path, model, opt) if restart else (0, 0.0)
    for epoch in range(start, epochs):
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            opt.step()
        best = max(best, epoch * 0.1)
        dump(path, model=model, optimizer=opt, epoch=epoch, best_acc=best)
