import torch.nn as nn


def one_epoch(net, loader, optimizer, loss_fn=nn.CrossEntropyLoss()):
    net.train()
    for x, y in loader:
        loss = loss_fn(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
