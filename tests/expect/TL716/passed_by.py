"""Training loops in which the framework in charge is not asked."""

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from lightning import Fabric
from torch.nn.utils import clip_grad_norm_


class Trainer:
    def __init__(self, model, loader):
        self.accelerator = Accelerator(gradient_accumulation_steps=8)
        self.opt = torch.optim.Adam(model.parameters(), lr=1e-4)
        self.model, self.opt, self.loader = self.accelerator.prepare(model, self.opt, loader)

    def train(self):
        for images, labels in self.loader:
            with self.accelerator.accumulate(self.model):
                loss = F.cross_entropy(self.model(images), labels)
                loss.backward()  # expect: TL716
                self.opt.step()
                self.opt.zero_grad()


def clipped(model, loader, args):
    accelerator = Accelerator(mixed_precision=args.mixed_precision)
    optimizer = torch.optim.AdamW(model.parameters())
    optimizer = accelerator.prepare(optimizer)
    model = accelerator.prepare(model)
    for step, batch in enumerate(accelerator.prepare(loader)):
        accelerator.backward(model(**batch).loss / args.steps)
        if (step + 1) % args.steps == 0:
            clip_grad_norm_(model.parameters(), max_norm=args.max_norm)  # expect: TL716
            optimizer.step()
            optimizer.zero_grad()


def one_step(model, optimizer, batch):
    optimizer.zero_grad()
    loss = model(batch).mean()
    loss.backward()  # expect: TL716
    optimizer.step()


def in_a_helper(model, loader):
    fabric = Fabric(accelerator="cuda", precision="16-mixed")
    fabric.launch()
    model, optimizer = fabric.setup(model, torch.optim.Adam(model.parameters()))
    for batch in loader:
        one_step(model, optimizer, batch)


def nothing_to_scale_but_to_divide(model, loader):
    accelerator = Accelerator(mixed_precision="no", gradient_accumulation_steps=4)
    model, optimizer, loader = accelerator.prepare(model, torch.optim.Adam(model.parameters()), loader)
    for batch in loader:
        with accelerator.accumulate(model):
            model(batch).mean().backward()  # expect: TL716
            optimizer.step()
            optimizer.zero_grad()
