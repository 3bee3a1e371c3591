"""Words such as start and offset in what a schedule is made with do not tell it where the training begins."""

import torch


def warm_start(args, model, loader):
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, start_factor=args.start_factor, total_iters=args.warm_up)
    first = 0
    if args.resume:
        checkpoint = torch.load(args.resume, map_location="cpu")
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        first = checkpoint["epoch"] + 1
    for epoch in range(first, args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        scheduler.step()
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}  # expect: TL603
        torch.save(state, args.output)


def offset(args, model, loader, offset_of_the_rate):
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: max(offset_of_the_rate, 0.99**step))
    first = 0
    if args.resume:
        checkpoint = torch.load(args.resume, map_location="cpu")
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        first = checkpoint["epoch"] + 1
    for epoch in range(first, args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        scheduler.step()
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}  # expect: TL603
        torch.save(state, args.output)
