"""The optimizer is saved and never restored: a result, nothing to go on from."""

import torch


def exported(args, model, loader):
    optimizer = torch.optim.AdamW(model.parameters())
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 30)
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        scheduler.step()
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, args.output)
