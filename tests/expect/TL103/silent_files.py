"""A file that was there before, or that one rank asks for."""

import os

import torch
import torch.distributed as dist


def resume(path, model):
    if os.path.exists(path):
        model.load_state_dict(torch.load(path, map_location="cpu"))
        dist.barrier()


def checked(path, rank, log):
    if not os.path.exists(path):
        if rank == 0:
            log("no checkpoint")
        dist.barrier()


def built(path, build):
    if dist.get_rank() == 0 and not os.path.exists(path):
        build(path)
    dist.barrier()
    return torch.load(path)


def activations(path, model, loader, is_video):
    """All ranks have asked before one of them writes: they compute together in between."""
    if path is not None and os.path.exists(path):
        found = torch.load(path)
    else:
        if is_video:
            found = together(model, loader)
        else:
            found = together(model.inner, loader)
        if path is not None and dist.get_rank() == 0:
            torch.save(found, path)
    return found


def together(model, loader):
    own = torch.cat([model(batch) for batch in loader])
    parts = [torch.zeros_like(own) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, own)
    return torch.cat(parts)


def cache(path, build):
    if os.path.exists(path):
        return torch.load(path)
    dist.barrier()
    if dist.get_rank() == 0:
        torch.save(build(), path)
    dist.barrier()
    return torch.load(path)


def classifier(path, model, loader, keep):
    """It may have been computed, and kept, before."""
    if path is None or not os.path.exists(path):
        found = getattr(model, "classifier", None) if keep else None
        if found is None:
            found = together(model, loader)
        if path is not None and dist.get_rank() == 0:
            torch.save(found, path)
        return found
    return torch.load(path)
