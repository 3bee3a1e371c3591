"""The best result so far decides which weights are kept, and begins with a constant when training resumes."""

import shutil

import torch


def epochs(args, model, optimizer, loader):
    state = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    return state["epoch"] + 1


def trained(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()


def forgotten(args, model, loader, evaluate):
    optimizer = torch.optim.AdamW(model.parameters())
    best = 0.0
    start = epochs(args, model, optimizer, loader)
    for epoch in range(start, args.epochs):
        trained(model, optimizer, loader)
        score = evaluate(model)
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
        torch.save(state, args.resume)
        if score > best:
            best = score
            torch.save(state, "best.pt")  # expect-likely: TL603


def copied(args, model, loader, evaluate):
    optimizer = torch.optim.AdamW(model.parameters())
    best = float("inf")
    start = epochs(args, model, optimizer, loader)
    for epoch in range(start, args.epochs):
        trained(model, optimizer, loader)
        score = evaluate(model)
        is_best = score < best
        best = min(score, best)
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, args.resume)  # expect-likely: TL607
        if is_best:
            shutil.copyfile(args.resume, "best.pt")  # expect-likely: TL603


def saved(args, model, loader, evaluate):
    optimizer = torch.optim.AdamW(model.parameters())
    best = 0.0
    start = epochs(args, model, optimizer, loader)
    for epoch in range(start, args.epochs):
        trained(model, optimizer, loader)
        score = evaluate(model)
        is_best = score > best
        best = max(score, best)
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch, "best": best}
        torch.save(state, args.resume)  # expect-likely: TL607
        if is_best:
            shutil.copyfile(args.resume, "best.pt")


def measured_again(args, model, loader, evaluate):
    optimizer = torch.optim.AdamW(model.parameters())
    start = epochs(args, model, optimizer, loader)
    best = evaluate(model)
    for epoch in range(start, args.epochs):
        trained(model, optimizer, loader)
        score = evaluate(model)
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
        torch.save(state, args.resume)
        if score > best:
            best = score
            torch.save(state, "best.pt")
