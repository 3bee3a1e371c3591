"""Checkpoints that bring the optimizer back and leave the rest behind."""
# Modelled on NVIDIA/DeepLearningExamples, KaiyangZhou/deep-person-reid, Megvii-BaseDetection/YOLOX, karpathy/nanoGPT, FoundationVision/LlamaGen.

import os

import torch
from torch import optim
from torch.cuda.amp import GradScaler
from torch.optim import lr_scheduler


def save_checkpoint(model, optimizer, epoch, folder):
    checkpoint = {
        "epoch": epoch,
        "state_dict": model.state_dict(),
        "optimizer": optimizer.state_dict(),  # expect: TL603
    }
    torch.save(checkpoint, os.path.join(folder, f"checkpoint_{epoch}.pt"))


def load_checkpoint(model, optimizer, path):
    checkpoint = torch.load(path, map_location="cpu")
    model.load_state_dict(checkpoint["state_dict"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    return checkpoint["epoch"] + 1


def main(args, model, loader):
    optimizer = optim.Adam(model.parameters(), lr=args.lr)
    scaler = GradScaler(enabled=args.amp)
    first = load_checkpoint(model, optimizer, args.path) if args.path else 0
    for epoch in range(first, args.epochs):
        for x in loader:
            optimizer.zero_grad()
            with torch.cuda.amp.autocast(enabled=args.amp):
                loss = model(x)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        save_checkpoint(model, optimizer, epoch, args.folder)


def build_scheduler(optimizer, kind="single", step=20, gamma=0.1):
    if kind == "single":
        schedule = lr_scheduler.StepLR(optimizer, step_size=step, gamma=gamma)
    else:
        schedule = lr_scheduler.CosineAnnealingLR(optimizer, 100)
    return schedule


class Engine:
    def __init__(self, model, optimizer, scheduler, loader):
        self.model = model
        self.optimizer = optimizer
        self.scheduler = scheduler
        self.loader = loader

    def run(self, epochs, start=0):
        for epoch in range(start, epochs):
            for batch in self.loader:
                self.optimizer.zero_grad()
                self.model(batch).mean().backward()
                self.optimizer.step()
            self.scheduler.step()
            self.keep(epoch)

    def keep(self, epoch):
        write(
            {"net": self.model.state_dict(), "epoch": epoch + 1, "optimizer": self.optimizer.state_dict()},  # expect: TL603
            f"model-{epoch}.tar",
        )


def write(state, path):
    torch.save(state, path)


def engine(model, loader, resume, epochs):
    optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    scheduler = build_scheduler(optimizer)
    start = 0
    if resume:
        state = torch.load(resume, map_location="cpu")
        model.load_state_dict(state["net"])
        optimizer.load_state_dict(state["optimizer"])
        start = state["epoch"]
    Engine(model, optimizer, scheduler, loader).run(epochs, start)


class Training:
    def __init__(self, net, rate):
        self.net = net
        self.sgd = optim.SGD(net.parameters(), rate, momentum=0.9)
        self.plateau = lr_scheduler.ReduceLROnPlateau(self.sgd, patience=3)

    def step(self, batch):
        self.sgd.zero_grad()
        self.net(batch).mean().backward()
        self.sgd.step()

    def ended(self, loss):
        self.plateau.step(loss)

    def state(self):
        return {"net": self.net.state_dict(), "sgd": self.sgd.state_dict()}  # expect: TL603

    def restore(self, path):
        state = torch.load(path, map_location="cpu")
        self.net.load_state_dict(state["net"])
        self.sgd.load_state_dict(state["sgd"])


def keep(training, path):
    torch.save(training.state(), path)
