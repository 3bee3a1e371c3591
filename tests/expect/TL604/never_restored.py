"""States that are saved for nothing."""
# Modelled on kuangliu/pytorch-cifar, milesial/Pytorch-UNet.

import torch
from torch import optim
from torch.optim import lr_scheduler


def main(args, net, loader):
    optimizer = optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    scheduler = lr_scheduler.StepLR(optimizer, 30)
    begin = 0
    if args.resume:
        saved = torch.load("last.pth", map_location="cpu")
        net.load_state_dict(saved["net"])
        optimizer.load_state_dict(saved["sgd"])
        begin = saved["epoch"] + 1
    for epoch in range(begin, 200):
        for batch in loader:
            optimizer.zero_grad()
            net(batch).mean().backward()
            optimizer.step()
        scheduler.step()
        state = {"net": net.state_dict(), "epoch": epoch, "sgd": optimizer.state_dict()}
        state["steps"] = scheduler.state_dict()  # expect: TL604
        torch.save(state, f"last-{epoch}.pth")
