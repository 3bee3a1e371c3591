"""Parameters in float16 are trained, whatever steps beside, and also where an object of the project steps the optimizer."""

import torch


class Trainer:
    """Steps the optimizer it was given, and leaves its parameters as they are."""

    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer

    def step(self, batch):
        self.optimizer.zero_grad()
        loss = self.model(batch.half()).float().mean()
        loss.backward()
        self.optimizer.step()
        return loss.item()


def by_a_trainer(loader):
    model = torch.nn.Linear(1024, 16).cuda().half()  # expect: TL407
    trainer = Trainer(model, torch.optim.Adam(model.parameters(), lr=0.001))
    for batch in loader:
        trainer.step(batch)


def timed(loader, timer, profiler):
    model = torch.nn.Linear(1024, 16)
    model.half()  # expect: TL407
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in loader:
        optimizer.zero_grad()
        model(batch.half()).float().mean().backward()
        timer.step()
        optimizer.step()
        profiler.step()
