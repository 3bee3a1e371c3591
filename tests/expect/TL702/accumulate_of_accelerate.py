"""A model's own `zero_grad()` where accelerate skips the optimizer's step, and its `zero_grad()`, in most rounds."""

import torch
from accelerate import Accelerator
from torch.nn import functional as F


def own(model, dataset, window):
    accelerator = Accelerator(gradient_accumulation_steps=window)
    optimizer = torch.optim.AdamW(model.parameters())
    model, optimizer, loader = accelerator.prepare(model, optimizer, torch.utils.data.DataLoader(dataset))
    for x, y in loader:
        with accelerator.accumulate(model):
            accelerator.backward(F.mse_loss(model(x), y))
            optimizer.step()
            model.zero_grad()  # expect: TL702


class Trainer:
    def __init__(self, model, args):
        self.accelerator = Accelerator(gradient_accumulation_steps=args.accumulation)
        self.policy = model
        self.optimizer = self.accelerator.prepare(torch.optim.AdamW(model.parameters()))

    def run(self, loader):
        for x, y in loader:
            with self.accelerator.accumulate(self.policy):
                self.policy.zero_grad(set_to_none=True)  # expect: TL702
                loss = F.mse_loss(self.policy(x), y)
                self.accelerator.backward(loss)
                self.optimizer.step()


class Handed:
    def __init__(self, accelerator, model, optimizer):
        self.accelerator, self.model, self.optimizer = accelerator, model, optimizer

    def run(self, loader):
        for x, y in loader:
            with self.accelerator.accumulate(self.model):
                self.accelerator.backward(F.mse_loss(self.model(x), y))
                self.optimizer.step()
                self.model.zero_grad()  # expect-likely: TL702


def of_the_optimizer(model, dataset, window):
    accelerator = Accelerator(gradient_accumulation_steps=window)
    optimizer = torch.optim.AdamW(model.parameters())
    model, optimizer, loader = accelerator.prepare(model, optimizer, torch.utils.data.DataLoader(dataset))
    for x, y in loader:
        with accelerator.accumulate(model):
            accelerator.backward(F.mse_loss(model(x), y))
            optimizer.step()
            optimizer.zero_grad()


def where_it_steps(model, dataset, window):
    accelerator = Accelerator(gradient_accumulation_steps=window)
    optimizer = torch.optim.AdamW(model.parameters())
    model, optimizer, loader = accelerator.prepare(model, optimizer, torch.utils.data.DataLoader(dataset))
    for x, y in loader:
        with accelerator.accumulate(model):
            accelerator.backward(F.mse_loss(model(x), y))
            optimizer.step()
            if accelerator.sync_gradients:
                model.zero_grad()


def of_one_batch(model, dataset):
    accelerator = Accelerator()
    optimizer = torch.optim.AdamW(model.parameters())
    model, optimizer, loader = accelerator.prepare(model, optimizer, torch.utils.data.DataLoader(dataset))
    for x, y in loader:
        with accelerator.accumulate(model):
            accelerator.backward(F.mse_loss(model(x), y))
            optimizer.step()
            model.zero_grad()


def of_another_model(model, critic, dataset, window):
    accelerator = Accelerator(gradient_accumulation_steps=window)
    optimizer = torch.optim.AdamW(model.parameters())
    model, critic, optimizer, loader = accelerator.prepare(model, critic, optimizer, torch.utils.data.DataLoader(dataset))
    for x, y in loader:
        with accelerator.accumulate(model):
            accelerator.backward(F.mse_loss(model(x), y) - critic(x).mean())
            optimizer.step()
            optimizer.zero_grad()
            critic.zero_grad()
