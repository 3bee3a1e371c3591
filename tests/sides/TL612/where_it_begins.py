"""A number that a checkpoint holds, and the loop over epochs that begins with it."""

import torch
from tqdm import tqdm, trange


def epoch_of(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()


def plain(args, model, optimizer, loader):
    state = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    for epoch in range(state["plain"], args.epochs):  # expect: TL612
        epoch_of(model, optimizer, loader)
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "plain": epoch}, args.output)


def with_a_bar(args, model, optimizer, loader):
    state = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    for epoch in tqdm(range(state["bar"], args.epochs)):  # expect: TL612
        epoch_of(model, optimizer, loader)
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "bar": epoch}, args.output)


def with_trange(args, model, optimizer, loader):
    state = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    for epoch in trange(state["trange"], args.epochs):  # expect: TL612
        epoch_of(model, optimizer, loader)
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "trange": epoch}, args.output)


def by_get(args, model, optimizer, loader):
    state = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    for epoch in range(state.get("got", 0), args.epochs):  # expect: TL612
        epoch_of(model, optimizer, loader)
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "got": epoch}, args.output)


def one_behind(args, model, optimizer, loader):
    state = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    for epoch in range(1 + state["behind"], args.epochs):
        epoch_of(model, optimizer, loader)
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "behind": epoch}, args.output)


def saved_with_one_more(args, model, optimizer, loader):
    state = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    for epoch in range(state["more"], args.epochs):
        epoch_of(model, optimizer, loader)
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "more": epoch + 1}, args.output)


def from_the_beginning(args, model, optimizer, loader):
    state = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    for epoch in range(0, args.epochs):
        epoch_of(model, optimizer, loader)
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "first": epoch}, args.output)


def only_so_many(args, model, optimizer, loader):
    state = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    for epoch in range(state["many"]):
        epoch_of(model, optimizer, loader)
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "many": epoch}, args.output)


def perhaps_resumed(args, model, optimizer, loader):
    first = 0
    if args.resume:
        state = torch.load(args.resume, map_location="cpu")
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        first = state["perhaps"]
    for epoch in range(first, args.epochs):  # expect: TL612
        epoch_of(model, optimizer, loader)
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "perhaps": epoch}, args.output)


def another_key(args, model, optimizer, loader):
    state = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    for epoch in range(state["next"], args.epochs):
        epoch_of(model, optimizer, loader)
        following = epoch + 1
        torch.save({"model": model.state_dict(), "this": epoch, "next": following}, args.output)


def saved_first(args, model, optimizer, loader):
    state = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    for epoch in range(state["early"], args.epochs):
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "early": epoch}, args.output)
        epoch_of(model, optimizer, loader)


def saved_under_a_test_above(args, model, optimizer, loader):
    state = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    for epoch in range(state["tested"], args.epochs):
        if epoch % 5 == 0:
            torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "tested": epoch}, args.output)
        epoch_of(model, optimizer, loader)


def trained_in_the_same_branch(args, model, optimizer, loader):
    state = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    for epoch in range(state["branch"], args.epochs):  # expect: TL612
        if not args.evaluate:
            epoch_of(model, optimizer, loader)
            torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "branch": epoch}, args.output)


def saved_behind_all(args, model, optimizer, loader):
    state = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    for epoch in range(state["end"], args.epochs):
        epoch_of(model, optimizer, loader)
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "end": args.epochs}, args.output)


def saved_within_and_behind(args, model, optimizer, loader):
    state = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    for epoch in range(state["within"], args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
            if args.often:
                torch.save({"model": model.state_dict(), "within": epoch}, args.output)
        torch.save({"model": model.state_dict(), "within": epoch}, args.output)


def steps(args, model, optimizer, data):
    state = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    for step in range(state["step"], args.steps):
        optimizer.zero_grad()
        model(data).mean().backward()
        optimizer.step()
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, args.output)


def evaluates_only(args, model, judge):
    state = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(state["model"])
    for round in range(state["judged"], args.rounds):
        torch.save({"model": model.state_dict(), "score": judge(model), "judged": round}, args.output)


def of_a_list(args, model, optimizer, loader, numbers):
    first = numbers["epoch"]
    for epoch in range(first, args.epochs):
        epoch_of(model, optimizer, loader)
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, args.output)
