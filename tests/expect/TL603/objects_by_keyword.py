"""A checkpoint of all objects that were given by keyword."""

import torch


class Checkpointer:
    def __init__(self, path, **objects):
        self.path = path
        self.objects = objects

    def save(self, **extra):
        state = {name: obj.state_dict() for name, obj in self.objects.items()}  # expect: TL603
        state.update(extra)
        torch.save(state, self.path)

    def load(self):
        state = torch.load(self.path)
        for name, obj in self.objects.items():
            obj.load_state_dict(state.pop(name))
        return state


def train(model, loader, epochs):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=epochs)
    ckpt = Checkpointer("last.pt", model=model, optimizer=opt)
    start = ckpt.load().get("epoch", 0)
    for epoch in range(start, epochs):
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.mse_loss(model(x), y).backward()
            opt.step()
        sched.step()
        ckpt.save(epoch=epoch + 1)
