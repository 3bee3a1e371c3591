"""Saves that leave something to go on from, and results."""
# Modelled on milesial/Pytorch-UNet, facebookresearch/detr, weiaicunzai/pytorch-cifar100, eriklindernoren/PyTorch-GAN, pytorch/examples.

import os
import time

import torch
from torch import optim


def of_the_epoch(args, model, loader):
    optimizer = optim.Adam(model.parameters())
    old = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(old["net"])
    optimizer.load_state_dict(old["adam"])
    for epoch in range(old["epoch"] + 1, args.epochs):
        fit(model, optimizer, loader)
        path = os.path.join(args.out, "epoch_%d.pth" % epoch)
        torch.save({"net": model.state_dict(), "adam": optimizer.state_dict(), "epoch": epoch}, path)


def of_the_time(args, model, loader):
    optimizer = optim.Adam(model.parameters())
    old = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(old["net"])
    optimizer.load_state_dict(old["adam"])
    for epoch in range(old["epoch"] + 1, args.epochs):
        fit(model, optimizer, loader)
        state = {"net": model.state_dict(), "adam": optimizer.state_dict(), "epoch": epoch}
        torch.save(state, f"{args.out}/{time.strftime('%H-%M')}.pth")


def in_turns(args, model, loader):
    optimizer = optim.Adam(model.parameters())
    old = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(old["net"])
    optimizer.load_state_dict(old["adam"])
    for epoch in range(old["epoch"] + 1, args.epochs):
        fit(model, optimizer, loader)
        state = {"net": model.state_dict(), "adam": optimizer.state_dict(), "epoch": epoch}
        torch.save(state, "even.pt" if epoch % 2 == 0 else "odd.pt")


def several(args, model, loader):
    optimizer = optim.Adam(model.parameters())
    old = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(old["net"])
    optimizer.load_state_dict(old["adam"])
    for epoch in range(old["epoch"] + 1, args.epochs):
        fit(model, optimizer, loader)
        paths = ["checkpoint.pth"]
        if epoch % 100 == 0:
            paths.append(f"checkpoint{epoch:04}.pth")
        for path in paths:
            torch.save({"net": model.state_dict(), "adam": optimizer.state_dict(), "epoch": epoch}, path)


def best_weights(model, loader, evaluate, epochs):
    optimizer = optim.Adam(model.parameters())
    best = 0.0
    for _ in range(epochs):
        fit(model, optimizer, loader)
        if evaluate(model) > best:
            torch.save({"net": model.state_dict(), "adam": optimizer.state_dict()}, "best.pth")
    return torch.load("best.pth", map_location="cpu")["net"]


def at_the_end(args, model, loader):
    optimizer = optim.Adam(model.parameters())
    old = torch.load("final.pt", map_location="cpu")
    model.load_state_dict(old["net"])
    optimizer.load_state_dict(old["adam"])
    for _ in range(old["epoch"] + 1, args.epochs):
        fit(model, optimizer, loader)
    torch.save({"net": model.state_dict(), "adam": optimizer.state_dict(), "epoch": args.epochs}, "final.pt")


def named_by_the_caller(path, model, loader, epochs):
    optimizer = optim.Adam(model.parameters())
    old = torch.load(path, map_location="cpu")
    model.load_state_dict(old["net"])
    optimizer.load_state_dict(old["adam"])
    for epoch in range(old["epoch"] + 1, epochs):
        fit(model, optimizer, loader)
        torch.save({"net": model.state_dict(), "adam": optimizer.state_dict(), "epoch": epoch}, path.format(epoch=epoch))


def fit(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
