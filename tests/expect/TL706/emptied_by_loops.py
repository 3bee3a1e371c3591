"""An optimizer of the project that goes over its parameters to empty them; a loss that is weighed in some cases only."""

import torch


class Lamb(torch.optim.Optimizer):
    def zero_grad(self, set_to_none=False):
        for group in self.param_groups:
            for parameter in group["params"]:
                if set_to_none:
                    parameter.grad = None
                else:
                    parameter.grad.zero_()


def own(model, loader, window):
    optimizer = Lamb(model.parameters(), {})
    for number, batch in enumerate(loader):
        model(batch).mean().backward()  # expect: TL706
        if (number + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)


class Optimizers:
    def __init__(self, model, window):
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.window = window

    def step(self, loss, number):
        loss.backward()  # expect-likely: TL706
        if (number + 1) % self.window == 0:
            self.optimizer.step()
            self.optimizer.zero_grad(set_to_none=True)


def weighed(model, loader, size):
    optimizers = Optimizers(model, 4)
    for number, batch in enumerate(loader):
        loss = torch.nn.functional.mse_loss(model(batch.inputs), batch.targets)
        if batch.count < size:
            loss = loss * (batch.count / size)
        optimizers.step(loss, number)


def divided_if_need_be(model, loader, optimizer, window):
    for number, batch in enumerate(loader):
        loss = model(batch).mean()
        if window > 1:
            loss = loss / window
        loss.backward()
        if (number + 1) % window == 0:
            optimizer.step()
            optimizer.zero_grad()
