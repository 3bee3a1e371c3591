"""The schedule is made with the number with which the training goes on, whatever that is called."""

import torch


def from_what_was_read(args, model, loader):
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    done = 0
    if args.resume:
        checkpoint = torch.load(args.resume, map_location="cpu")
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        done = checkpoint["epoch"] + 1
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 0.99 ** (step + done))
    for epoch in range(done, args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        scheduler.step()
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, args.output)


def what_the_loop_begins_with(args, model, loader):
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    checkpoint = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    args.done = checkpoint["epoch"] + 1
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 30, last_epoch=args.done - 1)
    for epoch in range(args.done, args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        scheduler.step()
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, args.output)
