"""Callbacks whose method is named in a call of the trainer itself, ``self("after_backward")``."""

import torch


class Callback:
    def after_backward(self, t):
        pass

    def before_step(self, t):
        pass


class Clip(Callback):
    def __init__(self, norm):
        self.norm = norm

    def after_backward(self, t):
        t.scaler.unscale_(t.opt)
        torch.nn.utils.clip_grad_norm_(t.model.parameters(), self.norm)


class Log(Callback):
    def before_step(self, t):
        print(t.loss.item())


class Trainer:
    def __init__(self, model, opt, cbs=()):
        self.model, self.opt = model, opt
        self.cbs = [*cbs]
        self.scaler = torch.amp.GradScaler()

    def __call__(self, event):
        for cb in self.cbs:
            getattr(cb, event)(self)

    def one_batch(self, xb, yb):
        with torch.autocast("cuda", torch.float16):
            self.loss = torch.nn.functional.mse_loss(self.model(xb), yb)
        self.scaler.scale(self.loss).backward()
        self("after_backward")
        self("before_step")
        self.scaler.step(self.opt)
        self.scaler.update()
        self.opt.zero_grad()

    def fit(self, dl, n):
        for _ in range(n):
            for xb, yb in dl:
                self.one_batch(xb, yb)


def main(dl):
    m = torch.nn.Linear(2, 2).cuda()
    Trainer(m, torch.optim.SGD(m.parameters(), lr=0.1), [Clip(1.0), Log()]).fit(dl, 3)
