"""A script that calls what is made for jobs too, and is none itself."""

import json
import os

import torch
import torch.distributed as dist
from lightning.fabric import Fabric


def wait():
    if dist.is_initialized():
        dist.barrier()


def fetch(source, path):
    wait()
    if not dist.is_initialized() or dist.get_rank() == 0:
        os.link(source, path)
    wait()


def scores(model, items, folder):
    for item in items:
        torch.save(model(item), os.path.join(folder, "score.pt"))


if __name__ == "__main__":
    with open("settings.json") as settings:
        found = json.load(settings)
    fetch(found["source"], "model.pt")
    scores(torch.load("model.pt"), found["items"], found["folder"])
    os.remove("model.pt")


def with_one_device(network):
    fabric = Fabric(accelerator="auto", devices=1)
    fabric.launch()
    fabric.barrier()
    torch.save(network.state_dict(), "network.pt")


def trained_on_one_device(build, loader):
    fabric = Fabric(accelerator="auto", devices=1)
    fabric.launch()
    network = build()
    optimizer = torch.optim.Adam(network.parameters())
    network, optimizer = fabric.setup(network, optimizer)
    for batch in fabric.setup_dataloaders(loader):
        optimizer.zero_grad()
        fabric.backward(network(batch).mean())
        optimizer.step()
        torch.save(network.state_dict(), "network.pt")
