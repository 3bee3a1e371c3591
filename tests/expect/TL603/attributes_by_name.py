"""A checkpoint of the attributes that a class lists by their names."""

import os

import torch


class Trainer:
    stateful = ("model", "optimizer", "scaler")

    def __init__(self, model, cfg):
        self.model = model.cuda()
        self.optimizer = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=0.9)
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, 30)
        self.scaler = torch.cuda.amp.GradScaler()
        self.epoch = 0
        self.cfg = cfg

    def state_dict(self):
        return {k: getattr(self, k).state_dict() for k in self.stateful} | {"epoch": self.epoch}  # expect-likely: TL603

    def load_state_dict(self, state):
        for k in self.stateful:
            getattr(self, k).load_state_dict(state[k])
        self.epoch = state["epoch"]

    def fit(self, loader):
        path = os.path.join(self.cfg.out, "last.pt")
        if os.path.exists(path):
            self.load_state_dict(torch.load(path, map_location="cpu"))
        while self.epoch < self.cfg.epochs:
            for x, y in loader:
                self.optimizer.zero_grad()
                with torch.cuda.amp.autocast():
                    loss = torch.nn.functional.cross_entropy(self.model(x.cuda()), y.cuda())
                self.scaler.scale(loss).backward()
                self.scaler.step(self.optimizer)
                self.scaler.update()
            self.scheduler.step()
            self.epoch += 1
            torch.save(self.state_dict(), path)
