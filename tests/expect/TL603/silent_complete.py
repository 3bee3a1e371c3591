"""Checkpoints that hold what the training has, and files that nobody goes on from."""
# Modelled on facebookresearch/detr, karpathy/nanoGPT, ultralytics/yolov5, huggingface/accelerate, milesial/Pytorch-UNet.

import copy

import torch
from accelerate import Accelerator
from torch import optim
from torch.optim import lr_scheduler


def complete(args, model, loader):
    optimizer = optim.AdamW(model.parameters())
    scheduler = lr_scheduler.StepLR(optimizer, 30)
    if args.resume:
        checkpoint = torch.load(args.resume, map_location="cpu")
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        scheduler.load_state_dict(checkpoint["lr_scheduler"])
        args.start = checkpoint["epoch"] + 1
    for epoch in range(args.start, args.epochs):
        fit(model, optimizer, loader)
        scheduler.step()
        state = {"model": model, "optimizer": optimizer, "lr_scheduler": scheduler}
        state = {name: each.state_dict() for name, each in state.items()}
        torch.save({**state, "epoch": epoch}, f"{args.out}/{epoch}.pt")


def told(args, model, loader):
    optimizer = optim.SGD(model.parameters(), 0.1, momentum=0.9)
    scheduler = lr_scheduler.LambdaLR(optimizer, lambda epoch: 0.9**epoch)
    start = 0
    if args.resume:
        checkpoint = torch.load(args.resume, map_location="cpu")
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        start = checkpoint["epoch"] + 1
    scheduler.last_epoch = start - 1
    for epoch in range(start, args.epochs):
        fit(model, optimizer, loader)
        scheduler.step()
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, f"{args.out}/{epoch}.pt")


def stepped_with_the_epoch(args, model, loader):
    optimizer = optim.SGD(model.parameters(), 0.1, momentum=0.9)
    scheduler = lr_scheduler.CosineAnnealingLR(optimizer, 100)
    checkpoint = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    for epoch in range(checkpoint["epoch"], args.epochs):
        fit(model, optimizer, loader)
        scheduler.step(epoch)
        torch.save(
            {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch + 1}, f"{args.out}/{epoch}.pt"
        )


def remembers_nothing(args, model, loader):
    optimizer = optim.SGD(model.parameters(), 0.1, momentum=0.9)
    scheduler = lr_scheduler.ExponentialLR(optimizer, 0.97)
    checkpoint = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    for epoch in range(checkpoint["epoch"], args.epochs):
        fit(model, optimizer, loader)
        scheduler.step()
        torch.save(
            {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch + 1}, f"{args.out}/{epoch}.pt"
        )


def made_for_the_rest(args, model, loader):
    optimizer = optim.SGD(model.parameters(), 0.1, momentum=0.9)
    checkpoint = torch.load(args.resume, map_location="cpu")
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    start_epoch = checkpoint["epoch"]
    scheduler = lr_scheduler.LambdaLR(optimizer, lambda epoch: 0.9 ** (epoch + args.start_epoch))
    for epoch in range(start_epoch, args.epochs):
        fit(model, optimizer, loader)
        scheduler.step()
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch + 1}
        torch.save(state, f"{args.out}/{epoch}.pt")


def in_a_list(args, model, loader):
    optimizer = optim.SGD(model.parameters(), 0.1, momentum=0.9)
    parts = [optimizer, lr_scheduler.StepLR(optimizer, 10)]
    checkpoint = torch.load(args.resume, map_location="cpu")
    optimizer.load_state_dict(checkpoint["optimizer"])
    for part, state in zip(parts[1:], checkpoint["others"]):
        part.load_state_dict(state)
    for epoch in range(checkpoint["epoch"], args.epochs):
        fit(model, optimizer, loader)
        parts[1].step()
        others = [part.state_dict() for part in parts[1:]]
        torch.save({"optimizer": optimizer.state_dict(), "others": others, "epoch": epoch + 1}, f"{args.out}/{epoch}.pt")


def by_the_framework(args, model, loader):
    accelerator = Accelerator()
    optimizer = optim.AdamW(model.parameters())
    scheduler = lr_scheduler.StepLR(optimizer, 30)
    model, optimizer, loader, scheduler = accelerator.prepare(model, optimizer, loader, scheduler)
    accelerator.load_state(args.resume)
    for epoch in range(args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            accelerator.backward(model(batch).mean())
            optimizer.step()
        scheduler.step()
        accelerator.save_state(f"{args.out}/{epoch}")


def searched_for_a_rate(model, loader):
    optimizer = optim.Adam(model.parameters())
    before = copy.deepcopy(optimizer.state_dict())
    scheduler = lr_scheduler.LambdaLR(optimizer, lambda step: 1.1**step)
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        scheduler.step()
    optimizer.load_state_dict(before)


def result_only(model, loader, epochs, path):
    optimizer = optim.Adam(model.parameters())
    scheduler = lr_scheduler.StepLR(optimizer, 30)
    for _ in range(epochs):
        fit(model, optimizer, loader)
        scheduler.step()
        torch.save(model.state_dict(), path)


def fit(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()


class WithoutMomentum:  # as pytorch/examples has it
    def __init__(self, model, loader, optimizer, path):
        self.model = model
        self.loader = loader
        self.optimizer = optimizer
        self.path = path
        snapshot = torch.load(path, map_location="cpu")
        self.model.load_state_dict(snapshot["MODEL"])
        self.done = snapshot["DONE"] + 1

    def run(self, epochs):
        for epoch in range(self.done, epochs):
            fit(self.model, self.optimizer, self.loader)
            torch.save({"MODEL": self.model.state_dict(), "DONE": epoch}, f"{self.path}-{epoch}")


def made_of(model):
    return model, optim.SGD(model.parameters(), lr=1e-3)


def without_momentum(model, loader, path, epochs):
    model, optimizer = made_of(model)
    WithoutMomentum(model, loader, optimizer, path).run(epochs)


def until_enough(args, model, loader):
    """Counts updates, and saves the optimizer beside their number."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    updates = 0
    if args.resume:
        state = torch.load(args.resume, map_location="cpu", weights_only=True)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        updates = state["updates"]
    while updates < args.updates:
        for images, labels in loader:
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(model(images), labels).backward()
            optimizer.step()
            updates += 1
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "updates": updates}, args.output)


class Steps:
    def __init__(self, model, batches):
        self.model, self.batches, self.step = model, batches, 0
        self.optimizer = made_of(model)[1]

    def load(self, path):
        state = torch.load(path, map_location="cpu")
        self.model.load_state_dict(state["model"])
        self.step = state["step"]

    def run(self, last):
        while self.step < last:
            fit(self.model, self.optimizer, self.batches)
            self.step += 1
            torch.save({"model": self.model.state_dict(), "step": self.step}, "last.pt")
