"""The scaler steps in one arm of a test and is passed by in the other; the gradients are scaled in both."""

import torch


def told_or_not(model, criterion, optimizer, loader, told):
    scaler = torch.amp.GradScaler("cuda")
    for images, labels in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = criterion(model(images), labels)
        scaler.scale(loss).backward()
        if told is None:
            scaler.step(optimizer)
        else:
            told.append(len(images))
            optimizer.step()  # expect: TL403
        scaler.update()


def warm(model, criterion, optimizer, loader, warm_up):
    """In the first epochs the step is made as it was before there was a scaler."""
    scaler = torch.amp.GradScaler("cuda")
    for epoch in range(100):
        for images, labels in loader:
            optimizer.zero_grad()
            with torch.autocast("cuda"):
                loss = criterion(model(images), labels)
            scaler.scale(loss).backward()
            if epoch < warm_up:
                optimizer.step()  # expect: TL403
            else:
                scaler.step(optimizer)
            scaler.update()


class Pair:
    """Of two optimizers one steps through the scaler; the other one's test asks for something else."""

    def __init__(self, net, head):
        self.net, self.head = net, head
        self.slow = torch.optim.SGD(net.parameters(), lr=0.001)
        self.fast = torch.optim.SGD(head.parameters(), lr=0.1)
        self.scaler = torch.amp.GradScaler("cuda")

    def fit(self, loader, criterion, every):
        for number, (images, labels) in enumerate(loader):
            self.slow.zero_grad()
            self.fast.zero_grad()
            with torch.autocast("cuda"):
                loss = criterion(self.head(self.net(images)), labels)
            self.scaler.scale(loss).backward()
            self.scaler.step(self.fast)
            if number % every == 0:
                self.slow.step()  # expect: TL403
            self.scaler.update()
