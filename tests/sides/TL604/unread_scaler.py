"""The optimizer comes back, the state of a scaler does not."""

import torch


def main(args, model, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    scaler = torch.amp.GradScaler("cuda")
    state = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    for epoch in range(state["epoch"], args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        torch.save(
            {
                "model": model.state_dict(),
                "optimizer": optimizer.state_dict(),
                "other": scaler.state_dict(),  # expect: TL604
                "epoch": epoch + 1,
            },
            args.output,
        )
