"""Names that a property sorts, and the last of which is taken elsewhere."""

import pathlib
import re

import torch


class Manager:
    pattern = "step-*.pt"

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    @property
    def all(self):
        return sorted(self.folder.glob(self.pattern), key=lambda p: int(re.search(r"\d+", p.stem)[0]))

    def latest(self):
        *_, last = self.all
        return last

    def save(self, step, state):
        torch.save(state, self.folder / f"step-{step}.pt")


def main(model, loader, resume=True):
    opt = torch.optim.Adam(model.parameters())
    mgr = Manager("out")
    step = 0
    if resume:
        s = torch.load(mgr.latest())
        model.load_state_dict(s["model"])
        opt.load_state_dict(s["opt"])
        step = s["step"]
    for x in loader:
        opt.zero_grad()
        model(x).sum().backward()
        opt.step()
        step += 1
        if step % 500 == 0:
            mgr.save(step, {"model": model.state_dict(), "opt": opt.state_dict(), "step": step})
