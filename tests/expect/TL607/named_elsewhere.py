"""The name of the checkpoint comes from a helper, from a dict that a helper fills, or from an attribute that it sets."""

import argparse
import os

import torch
from easydict import EasyDict
from torch.nn.functional import cross_entropy


def file_of(folder):
    return os.path.join(folder, "last.pt")


def files_of(folder):
    files = {}
    files["last"] = os.path.join(folder, "last.pt")
    return files


def options_of(folder):
    options = EasyDict()
    options["last"] = os.path.join(folder, "last.pt")
    return options


def namespace_of(folder):
    names = argparse.Namespace()
    names.last = os.path.join(folder, "last.pt")
    return names


def numbered(folder, epoch):
    return os.path.join(folder, f"epoch-{epoch}.pt")


def train(model, optimizer, loader):
    for x, y in loader:
        optimizer.zero_grad()
        cross_entropy(model(x), y).backward()
        optimizer.step()


def from_a_helper(folder, model, optimizer, loader):
    last = file_of(folder)
    state = torch.load(last)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    for epoch in range(state["epoch"], 10):
        train(model, optimizer, loader)
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch + 1}, last)  # expect: TL607


def from_a_dict(folder, model, optimizer, loader):
    files = files_of(folder)
    state = torch.load(files["last"])
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    for epoch in range(state["epoch"], 10):
        train(model, optimizer, loader)
        torch.save(  # expect: TL607
            {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch + 1}, files["last"]
        )


def from_attributes_of_a_dict(folder, model, optimizer, loader):
    options = options_of(folder)
    state = torch.load(options.last)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    for epoch in range(state["epoch"], 10):
        train(model, optimizer, loader)
        torch.save(  # expect: TL607
            {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch + 1}, options.last
        )


def from_a_namespace(folder, model, optimizer, loader):
    names = namespace_of(folder)
    state = torch.load(names.last)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    for epoch in range(state["epoch"], 10):
        train(model, optimizer, loader)
        torch.save(  # expect: TL607
            {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch + 1}, names.last
        )


def one_for_each_epoch(folder, model, optimizer, loader, start):
    state = torch.load(numbered(folder, start))
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    for epoch in range(state["epoch"], 10):
        train(model, optimizer, loader)
        torch.save(
            {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch + 1}, numbered(folder, epoch)
        )
