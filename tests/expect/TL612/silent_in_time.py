"""Runs that go on where they stopped, or of which nobody can say."""
# Modelled on pytorch/examples, facebookresearch/detr, ultralytics/yolov5, facebookresearch/mae, KaiyangZhou/deep-person-reid.

import torch
from torch import nn, optim


def next_is_saved(args, model, loader):
    optimizer = optim.SGD(model.parameters(), 0.1, momentum=0.9)
    if args.resume:
        checkpoint = torch.load(args.resume, map_location="cpu")
        args.start_epoch = checkpoint["epoch"]
        model.load_state_dict(checkpoint["state_dict"])
        optimizer.load_state_dict(checkpoint["optimizer"])
    for epoch in range(args.start_epoch, args.epochs):
        fit(model, optimizer, loader)
        save({"epoch": epoch + 1, "state_dict": model.state_dict(), "optimizer": optimizer.state_dict()}, epoch)


def next_is_read(args, model, loader):
    optimizer = optim.AdamW(model.parameters())
    if args.resume:
        checkpoint = torch.load(args.resume, map_location="cpu")
        model.load_state_dict(checkpoint["model"])
        if not args.eval and "optimizer" in checkpoint and "epoch" in checkpoint:
            optimizer.load_state_dict(checkpoint["optimizer"])
            args.first_epoch = checkpoint["epoch"] + 1
    for epoch in range(args.first_epoch, args.epochs):
        fit(model, optimizer, loader)
        save({"epoch": epoch, "model": model.state_dict(), "optimizer": optimizer.state_dict()}, epoch)


def next_is_returned(path, model, loader, epochs):
    optimizer = optim.AdamW(model.parameters())
    begin = resumed(path, model, optimizer) + 1
    for epoch in range(begin, epochs):
        fit(model, optimizer, loader)
        save({"epoch": epoch, "net": model.state_dict(), "opt": optimizer.state_dict()}, epoch)


def resumed(path, model, optimizer):
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["net"])
    optimizer.load_state_dict(state["opt"])
    return state["epoch"]


def loop_says_next(path, model, loader, epochs):
    optimizer = optim.AdamW(model.parameters())
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["m"])
    optimizer.load_state_dict(state["o"])
    for epoch in range(state["e"] + 1, epochs + 1):
        fit(model, optimizer, loader)
        save({"e": epoch, "m": model.state_dict(), "o": optimizer.state_dict()}, epoch)


def before_the_epoch(path, model, loader, epochs):
    optimizer = optim.AdamW(model.parameters())
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["m1"])
    optimizer.load_state_dict(state["o1"])
    for epoch in range(state["e1"], epochs):
        save({"e1": epoch, "m1": model.state_dict(), "o1": optimizer.state_dict()}, epoch)
        fit(model, optimizer, loader)


def in_the_midst(path, model, loader, epochs):
    optimizer = optim.AdamW(model.parameters())
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["m2"])
    optimizer.load_state_dict(state["o2"])
    for epoch in range(state["e2"], epochs):
        for number, batch in enumerate(loader):
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
            if number % 500 == 0:
                save({"e2": epoch, "m2": model.state_dict(), "o2": optimizer.state_dict()}, number)


def from_elsewhere(path, model, loader, epochs, checkpointer):
    optimizer = optim.AdamW(model.parameters())
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["m3"])
    optimizer.load_state_dict(state["o3"])
    for epoch in range(state["e3"], epochs):
        fit(model, optimizer, loader)
        checkpointer.save(epoch)


def of_another_counter(path, model, loader, rounds):
    optimizer = optim.AdamW(model.parameters())
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["m4"])
    optimizer.load_state_dict(state["o4"])
    done = state["e4"]
    for _ in range(done, rounds):
        fit(model, optimizer, loader)
        done += 1
        save({"e4": done, "m4": model.state_dict(), "o4": optimizer.state_dict()}, done)


def evaluated_only(path, model, loader, epochs):
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["m5"])
    model.eval()
    for epoch in range(state["e5"], epochs):
        with torch.no_grad():
            print(epoch, sum(model(batch).mean() for batch in loader))


def fit(model: nn.Module, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()


def save(state, number):
    torch.save(state, f"state-{number}.pt")


def of_steps(path, model, stream, most):
    # Modelled on snap-stanford/ogb: a round is one step, and a step that is made again harms nobody.
    optimizer = optim.AdamW(model.parameters())
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["m6"])
    optimizer.load_state_dict(state["o6"])
    for step in range(state["s6"], most):
        one_step(model, optimizer, next(stream))
        if step % 1000 == 0:
            save({"s6": step, "m6": model.state_dict(), "o6": optimizer.state_dict()}, step)


def one_step(model, optimizer, batch):
    optimizer.zero_grad()
    loss = sum(model(part).mean() for part in batch)
    loss.backward()
    optimizer.step()
    return loss.item()
