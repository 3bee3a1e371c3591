"""All ranks are told, all evaluate the same, only one rank of each group counts, or what one rank counts stops nobody."""

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def fit_told(net, loader, criterion, optimizer, epochs, patience, evaluate):
    model = DDP(net)
    best, waited = float("inf"), 0
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        if dist.get_rank() == 0:
            score = evaluate(model.module, epoch)
            if score < best:
                best, waited = score, 0
            else:
                waited += 1
        stop = torch.tensor(waited >= patience)
        dist.broadcast(stop, 0)
        if stop:
            break


def fit_alike(net, loader, criterion, optimizer, epochs, patience, evaluate):
    model = DDP(net)
    best, waited = float("inf"), 0
    for epoch in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        score = evaluate(epoch)
        if score < best:
            best, waited = score, 0
        else:
            waited += 1
        if dist.get_rank() == 0:
            print(score)
        if waited >= patience:
            break


def fit_in_a_mesh(net, mesh, loader, criterion, optimizer, epochs, patience, evaluate):
    model = DDP(net)
    waited = 0
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        if mesh.get_local_rank("stage") == 0:
            waited += evaluate(model.module)
        if waited >= patience:
            break


def fit_and_count(net, loader, criterion, optimizer, epochs):
    model = DDP(net)
    saved = 0
    for _ in range(epochs):
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        if dist.get_rank() == 0:
            torch.save(net.state_dict(), f"{saved}.pt")
            saved += 1
        if saved > 3:
            print("saved", saved)
