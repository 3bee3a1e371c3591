"""States of optimizers, schedulers and scalers in a file that training goes on from."""

import torch


def train(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()


def only_the_weights(args, model, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    state = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(state["model"])
    for epoch in range(state["epoch"], args.epochs):
        train(model, optimizer, loader)
        torch.save(
            {
                "model": model.state_dict(),
                "adam": optimizer.state_dict(),  # expect: TL604
                "epoch": epoch + 1,
            },
            args.output,
        )


def saved_behind_the_loop(args, model, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    state = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(state["model"])
    for epoch in range(state["epoch"], args.epochs):
        train(model, optimizer, loader)
    torch.save({"model": model.state_dict(), "finished_adam": optimizer.state_dict(), "epoch": args.epochs}, args.output)


def without_the_number(args, model, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    state = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(state["model"])
    for epoch in range(state["epoch"], args.epochs):
        train(model, optimizer, loader)
        torch.save({"model": model.state_dict(), "numberless_adam": optimizer.state_dict()}, args.output)


def average_of_weights(args, model, average, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    state = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(state["model"])
    for epoch in range(state["epoch"], args.epochs):
        train(model, optimizer, loader)
        torch.save(
            {
                "model": model.state_dict(),
                "average": average.state_dict(),
                "moments": optimizer.state_dict(),  # expect: TL604
                "epoch": epoch + 1,
            },
            args.output,
        )


def key_is_asked_for(args, model, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    state = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(state["model"])
    if "asked_adam" not in state:
        print("old file")
    for epoch in range(state["epoch"], args.epochs):
        train(model, optimizer, loader)
        torch.save({"model": model.state_dict(), "asked_adam": optimizer.state_dict(), "epoch": epoch + 1}, args.output)


def in_a_list(args, model, loader):
    optimizers = [torch.optim.AdamW(model.parameters())]
    state = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(state["model"])
    for epoch in range(state["epoch"], args.epochs):
        train(model, optimizers[0], loader)
        listed = [each.state_dict() for each in optimizers]
        torch.save({"model": model.state_dict(), "listed": listed, "epoch": epoch + 1}, args.output)


def gone_over(args, model, loader, things):
    optimizer = torch.optim.AdamW(model.parameters())
    state = torch.load(args.resume, map_location="cpu")
    for name, value in state.items():
        print(name, value)
    for epoch in range(state["epoch"], args.epochs):
        train(model, optimizer, loader)
        torch.save({"model": model.state_dict(), "over_adam": optimizer.state_dict(), "epoch": epoch + 1}, args.output)


def put_into_a_list(args, model, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    state = torch.load(args.resume, map_location="cpu")
    known = [state, None]
    print(known)
    model.load_state_dict(state["model"])
    for epoch in range(state["epoch"], args.epochs):
        train(model, optimizer, loader)
        torch.save({"model": model.state_dict(), "held_adam": optimizer.state_dict(), "epoch": epoch + 1}, args.output)


def listed_names(args, model, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    state = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(state["model"])
    for name in state:
        print(name)
    for epoch in range(state["epoch"], args.epochs):
        train(model, optimizer, loader)
        torch.save({"model": model.state_dict(), "looped_adam": optimizer.state_dict(), "epoch": epoch + 1}, args.output)
