"""What an earlier run left is read; where it is missing, all ranks make it anew together."""

import os

import torch
import torch.distributed as dist


def features_of(model, loader):
    found = []
    for batch in loader:
        part = model(batch)
        parts = [torch.zeros_like(part) for _ in range(dist.get_world_size())]
        dist.all_gather(parts, part)
        found += parts
    return torch.cat(found)


def features(model, loader, args):
    try:
        found = torch.load(os.path.join(args.folder, "features.pt"))
        labels = torch.load(os.path.join(args.folder, "labels.pt"))
    except:
        found, labels = features_of(model, loader), None
    dist.barrier()
    return found, labels


def bank(model, loader, args):
    try:
        data = torch.load(os.path.join(args.folder, f"bank_{args.kind}.pt"))
        found = data.get("bank", None)
    except Exception:
        found = []
        model.eval()
        for batch in loader:
            part = model(batch)[0] if args.kind == "whole" else model(batch)[1]
            dist.all_reduce(part)
            found.append(part)
        if dist.get_rank() == 0:
            torch.save({"bank": found}, os.path.join(args.folder, f"bank_{args.kind}.pt"))
    return found
