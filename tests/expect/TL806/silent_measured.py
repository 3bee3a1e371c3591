"""Steps that are counted, flags of settings, a test for the rank, profilers that a trainer schedules itself, a step of an experiment."""

import pytorch_lightning as pl
import torch
from torch.profiler import profile


def train_epoch(model, loader, optimizer, steps=None):
    for step, batch in enumerate(loader):
        optimizer.zero_grad()
        model(batch).sum().backward()
        optimizer.step()
        if steps is not None and step >= steps:
            return


def counted(model, loader, optimizer):
    with profile() as prof:
        train_epoch(model, loader, optimizer, steps=5)
    print(prof.key_averages())


def first_epoch(model, loader, optimizer, epochs):
    for epoch in range(epochs):
        if epoch == 0:
            with profile():
                for batch in loader:
                    optimizer.zero_grad()
                    model(batch).sum().backward()
                    optimizer.step()


class Recorder:
    def __init__(self, config):
        self.config = config
        self.recording = profile(**config.options)

    def fit(self, model, loader, optimizer):
        with self.recording:
            for batch in loader:
                optimizer.zero_grad()
                model(batch).sum().backward()
                optimizer.step()


def off(model, loader, optimizer):
    with torch.autograd.profiler.profile(False):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).sum().backward()
            optimizer.step()


def fixed_rounds(model, batch, optimizer):
    with profile() as prof:
        for _ in range(100):
            optimizer.zero_grad()
            model(batch).sum().backward()
            optimizer.step()
    return prof


def lightning(model, data, args):
    pl.Trainer(profiler="simple").fit(model, data)
    pl.Trainer(profiler="pytorch").fit(model, data)
    pl.Trainer(profiler="advanced", max_steps=50).fit(model, data)
    pl.Trainer(profiler="advanced", max_epochs=1).fit(model, data)
    pl.Trainer(profiler="advanced" if args.profile else None).fit(model, data)
    pl.Trainer(profiler="advanced").predict(model, data)


def one_epoch(model, loader, optimizer):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).sum().backward()
        optimizer.step()


def stopped_before(model, loader, optimizer, epochs, example):
    prof = torch.profiler.profile(record_shapes=True)
    prof.start()
    model(example).sum().backward()
    prof.stop()
    optimizer.zero_grad()
    for _ in range(epochs):
        one_epoch(model, loader, optimizer)
