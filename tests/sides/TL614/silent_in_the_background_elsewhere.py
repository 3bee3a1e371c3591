"""Somebody saves in the background: the other saves are chosen with care."""

import torch.distributed.checkpoint as dcp


def often(model, folder, step):
    return dcp.async_save({"model": model.state_dict()}, checkpoint_id=f"{folder}/{step}")


def train(model, optimizer, loader, folder):
    for step, batch in enumerate(loader):
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        if step % 10000 == 0:
            dcp.save({"model": model.state_dict()}, checkpoint_id=f"{folder}/{step}")
