"""An attribute that is computed from one of the same name, and grows each time: how much was added has no end."""

import torch


class Trainer:
    def __init__(self, args):
        self.args = args

    def resume_train(self, model):
        if self.args.resume:
            ckpt = torch.load(self.args.ckpt, map_location="cpu")
            model.load_state_dict(ckpt["model"])
            self.optimizer.load_state_dict(ckpt["optimizer"])
            start_epoch = self.args.start_epoch - 1 if self.args.start_epoch is not None else ckpt["start_epoch"]
            self.start_epoch = start_epoch
        else:
            self.start_epoch = 0
        return model

    def train(self, model, loader):
        model = self.resume_train(model)
        for self.epoch in range(self.start_epoch, 300):
            for batch in loader:
                self.optimizer.zero_grad()
                model(batch).backward()
                self.optimizer.step()
            self.save(model)

    def save(self, model):
        state = {"start_epoch": self.epoch + 1, "model": model.state_dict(), "optimizer": self.optimizer.state_dict()}
        torch.save(state, f"epoch_{self.epoch}.pth")
