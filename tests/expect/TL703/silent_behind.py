"""Schedulers that step behind the optimizer, or are not PyTorch's, or of somebody else."""

import torch
from torch.optim import lr_scheduler


def from_the_second_epoch(model, loader, optimizer, epochs, start):
    scheduler = lr_scheduler.StepLR(optimizer, 10)
    for epoch in range(start, epochs):
        if epoch > start:
            scheduler.step()
        for x in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()


def by_a_metric(model, loader, optimizer, epochs, validate):
    scheduler = lr_scheduler.ReduceLROnPlateau(optimizer)
    for epoch in range(epochs):
        scheduler.step(validate(model))
        for x in loader:
            optimizer.zero_grad()
            model(x).mean().backward()
            optimizer.step()


class Warm:
    """A schedule of one's own, which counts as it likes."""

    def __init__(self, optimizer):
        self.optimizer, self.count = optimizer, 0

    def step(self):
        self.count += 1
        for group in self.optimizer.param_groups:
            group["lr"] = 0.1 * self.count


def own_counting(model, loader, optimizer):
    scheduler = Warm(optimizer)
    for x in loader:
        scheduler.step()
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def accumulated(model, loader, optimizer, accelerator):
    lr_scheduler_ = lr_scheduler.LambdaLR(optimizer, lambda step: 1.0)
    for batch in loader:
        with accelerator.accumulate(model):
            accelerator.backward(model(batch))
            optimizer.step()
            lr_scheduler_.step()
            optimizer.zero_grad()


def skipped_batches(model, loader, scheduler, optimizer, resume_at):
    for step, batch in enumerate(loader):
        if step < resume_at:
            scheduler.step()
            continue
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        scheduler.step()


def diffusion(pipeline_scheduler, model, latents, optimizer, timesteps):
    for t in timesteps:
        latents = pipeline_scheduler.step(model(latents, t), t, latents).prev_sample
        optimizer.zero_grad()
        latents.mean().backward()
        optimizer.step()


def beside_an_engine(model, distributed, loader, optimizer, scheduler, with_engine):
    for batch in loader:
        loss = model(batch)
        if with_engine:
            distributed.backward(loss)
            distributed.step()
        else:
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        if not with_engine:
            scheduler.step()


def over_phases(model, loaders, optimizer, scheduler, epochs):
    for epoch in range(epochs):
        for phase in ("train", "val"):
            for batch in loaders[phase]:
                loss = model(batch).mean()
                if phase == "train":
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
            if phase == "train":
                scheduler.step()


def one_of_two_texts(model, loader, mode):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
    for batch in loader:
        if mode == "skip":
            scheduler.step()
        if mode == "train":
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
            scheduler.step()
