"""Schedulers that go to a framework, into a list or a dict: nobody around takes a state that may be theirs."""

import torch
from accelerate import Accelerator
from torch.optim.lr_scheduler import CosineAnnealingLR, MultiStepLR


def prepared(args, model, loader):
    accelerator = Accelerator()
    optimizer = torch.optim.AdamW(model.parameters())
    scheduler = CosineAnnealingLR(optimizer, args.epochs)
    model, optimizer, loader, scheduler = accelerator.prepare(model, optimizer, loader, scheduler)
    state = torch.load(args.resume, map_location="cpu")
    optimizer.load_state_dict(state["optimizer"])
    for epoch in range(state["epoch"], args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            accelerator.backward(model(batch).mean())
            optimizer.step()
        scheduler.step()
        torch.save({"optimizer": optimizer.state_dict(), "epoch": epoch + 1}, args.output)  # expect-likely: TL603


def setup(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    return {"model": model, "optimizer": optimizer, "schedule": MultiStepLR(optimizer, [30, 60])}


def save(run, path, step):
    torch.save({"step": step, "optimizer": run["optimizer"].state_dict()}, path)  # expect-likely: TL603


def restore(run, path):
    state = torch.load(path, map_location="cpu")
    run["optimizer"].load_state_dict(state["optimizer"])
    return state["step"]


def in_a_dict(model, data, path):
    run = setup(model)
    step = restore(run, path)
    for batch in data:
        run["optimizer"].zero_grad()
        run["model"](batch).sum().backward()
        run["optimizer"].step()
        run["schedule"].step()
        step += 1
        if step % 1000 == 0:
            save(run, path, step)
