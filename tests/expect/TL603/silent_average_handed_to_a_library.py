"""A function of a library that is handed the average may take its state."""

import torch
from timm.utils import ModelEma, get_state_dict


def save_on_master(*args, **kwargs):
    torch.save(*args, **kwargs)


def load_ema(model_ema, checkpoint):
    model_ema.module.load_state_dict(checkpoint)


def main(args, model, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    model_ema = None
    if args.model_ema:
        model_ema = ModelEma(model, decay=0.9)
    if args.resume:
        checkpoint = torch.load(args.resume, map_location="cpu")
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
    for epoch in range(args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
            if model_ema is not None:
                model_ema.update(model)
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
        if args.model_ema:
            state["ema"] = get_state_dict(model_ema)
        save_on_master(state, args.resume)
