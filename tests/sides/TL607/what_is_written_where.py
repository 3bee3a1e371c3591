"""One file that is written over in a training loop: its name, what is in it, and how it is written."""

import os
from pathlib import Path

import torch


def train(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()


def restore(model, optimizer, path):
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    return state["epoch"] + 1


def by_a_text(args, model, optimizer, loader):
    for epoch in range(restore(model, optimizer, "last.pt"), args.epochs):
        train(model, optimizer, loader)
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
        torch.save(state, "last.pt")  # expect: TL607


def by_a_name(args, model, optimizer, loader):
    path = os.path.join(args.folder, "last.pt")
    for epoch in range(restore(model, optimizer, path), args.epochs):
        train(model, optimizer, loader)
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, path)  # expect: TL607


def by_a_path(args, model, optimizer, loader):
    path = Path(args.folder) / "last.pt"
    for epoch in range(restore(model, optimizer, path), args.epochs):
        train(model, optimizer, loader)
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, path)  # expect: TL607


def by_keywords(args, model, optimizer, loader):
    for epoch in range(restore(model, optimizer, "words.pt"), args.epochs):
        train(model, optimizer, loader)
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
        torch.save(obj=state, f="words.pt")  # expect: TL607


def with_an_option(args, model, optimizer, loader):
    for epoch in range(restore(model, optimizer, "option.pt"), args.epochs):
        train(model, optimizer, loader)
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
        torch.save(state, "option.pt", pickle_protocol=4)  # expect: TL607


def with_a_quote(args, model, optimizer, loader):
    for epoch in range(restore(model, optimizer, '"last".pt'), args.epochs):
        train(model, optimizer, loader)
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
        torch.save(state, '"last".pt')  # expect: TL607


def with_a_brace(args, model, optimizer, loader):
    for epoch in range(restore(model, optimizer, "{last}.pt"), args.epochs):
        train(model, optimizer, loader)
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
        torch.save(state, "{last}.pt")  # expect: TL607


def one_for_each_epoch(args, model, optimizer, loader):
    for epoch in range(restore(model, optimizer, "epoch-0.pt"), args.epochs):
        train(model, optimizer, loader)
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
        torch.save(state, f"epoch-{epoch}.pt")


def one_of_two(args, model, optimizer, loader):
    for epoch in range(restore(model, optimizer, "even.pt"), args.epochs):
        train(model, optimizer, loader)
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
        torch.save(state, "even.pt" if epoch % 2 == 0 else "odd.pt")


def the_best(args, model, optimizer, loader):
    for epoch in range(restore(model, optimizer, "model_best.pt"), args.epochs):
        train(model, optimizer, loader)
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
        torch.save(state, "model_best.pt")  # expect: TL607


def behind_the_loop(args, model, optimizer, loader):
    for epoch in range(restore(model, optimizer, "end.pt"), args.epochs):
        train(model, optimizer, loader)
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": args.epochs}, "end.pt")


def without_the_optimizer(args, model, optimizer, loader):
    for epoch in range(restore(model, optimizer, "weights-only.pt"), args.epochs):
        train(model, optimizer, loader)
        torch.save({"model": model.state_dict(), "epoch": epoch, "rate": args.rate}, "thin.pt")


def with_other_keys(args, model, optimizer, loader):
    for epoch in range(restore(model, optimizer, "keys.pt"), args.epochs):
        train(model, optimizer, loader)
        torch.save({"net": model.state_dict(), "adam": optimizer.state_dict(), "round": epoch}, "keys.pt")


def two_files(args, model, optimizer, loader):
    for epoch in range(restore(model, optimizer, "one.pt"), args.epochs):
        train(model, optimizer, loader)
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
        torch.save(state, "one.pt")
        torch.save(state, "two.pt")


def the_same_twice(args, model, optimizer, loader):
    for epoch in range(restore(model, optimizer, "same.pt"), args.epochs):
        train(model, optimizer, loader)
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
        if epoch % 2:
            torch.save(state, "same.pt")
        else:
            torch.save(state, "same.pt")


def name_of_a_setting(args, model, optimizer, loader):
    for epoch in range(restore(model, optimizer, args.output), args.epochs):
        train(model, optimizer, loader)
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
        torch.save(state, args.output)


def changed_text(args, model, optimizer, loader, name):
    title = name.replace("/", "-")
    for epoch in range(restore(model, optimizer, "text.pt"), args.epochs):
        train(model, optimizer, loader)
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch, "title": title}
        torch.save(state, "text.pt")  # expect: TL607


def keep(model, optimizer, epoch):
    state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
    torch.save(state, "helper.pt")  # expect: TL607


def in_a_helper(args, model, optimizer, loader):
    for epoch in range(restore(model, optimizer, "helper.pt"), args.epochs):
        train(model, optimizer, loader)
        keep(model, optimizer, epoch)
