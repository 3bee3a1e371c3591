"""The state of a scheduler is read under another name: by a loop over what has a state."""

import torch


def main(args, model, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 30)
    state = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(state["model"])
    for thing, kept in zip((optimizer, scheduler), torch.load(args.states, map_location="cpu")):
        thing.load_state_dict(kept)
    for epoch in range(state["epoch"], args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        scheduler.step()
        torch.save(
            {
                "model": model.state_dict(),
                "optimizer": optimizer.state_dict(),
                "other": scheduler.state_dict(),
                "epoch": epoch + 1,
            },
            args.output,
        )
