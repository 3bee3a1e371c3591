"""Saves of sharded states: in a training loop, in another loop, behind it; by the library's function or one of that name."""

import numpy
import torch.distributed.checkpoint as dcp
from torch.distributed.checkpoint import save as save_shards


def within(model, optimizer, loader, folder):
    for step, batch in enumerate(loader):
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        if step % 1000 == 0:
            dcp.save({"model": model.state_dict()}, checkpoint_id=f"{folder}/{step}")  # expect: TL614


def by_another_name(model, optimizer, loader, folder):
    for step, batch in enumerate(loader):
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        if step % 1000 == 0:
            save_shards({"model": model.state_dict()}, checkpoint_id=f"{folder}/{step}")  # expect: TL614


def behind(model, optimizer, loader, folder):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
    dcp.save({"model": model.state_dict()}, checkpoint_id=folder)


def loop_that_converts(models, folder):
    for number, model in enumerate(models):
        dcp.save({"model": model.state_dict()}, checkpoint_id=f"{folder}/{number}")


def arrays(model, optimizer, loader):
    for step, batch in enumerate(loader):
        optimizer.zero_grad()
        output = model(batch)
        output.mean().backward()
        optimizer.step()
        numpy.save(f"{step}.npy", output.detach().cpu().numpy())


def of_an_object(model, optimizer, loader, keeper):
    for step, batch in enumerate(loader):
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        keeper().save({"model": model.state_dict()}, checkpoint_id=str(step))


def shared(model, folder):
    dcp.save({"model": model.state_dict()}, checkpoint_id=folder)  # expect: TL614


def called_from_both(model, optimizer, loader, folder):
    shared(model, f"{folder}/first")
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        shared(model, folder)
