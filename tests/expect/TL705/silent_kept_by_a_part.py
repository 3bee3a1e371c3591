"""Evaluators that keep the model which the constructor of a loop was given, and put it back, or keep another one."""

import torch
from torch import nn


class Evaluator:
    def __init__(self, model, loader, limit=None):
        self.model = model
        self.loader = loader
        self.limit = limit

    @torch.no_grad()
    def run(self):
        was_training = self.model.training
        self.model.eval()
        total = 0.0
        for index, batch in enumerate(self.loader):
            if self.limit is not None and index >= self.limit:
                break
            total += self.model(batch).loss.item()
        self.model.train(was_training)
        return total


class Loop:
    def __init__(self, config, model, optimizer, loaders):
        self.config = config
        self.model = model
        self.optimizer = optimizer
        self.loader = loaders[0]
        self.evaluator = Evaluator(model, loaders[1], limit=config.eval_batches)
        self.step = 0

    def batches(self):
        while True:
            yield from self.loader

    def train_step(self, batch):
        loss = self.model(batch).loss
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        return loss.detach()

    def maybe_evaluate(self):
        if self.step % self.config.eval_every:
            return
        print(self.step, self.evaluator.run())

    def run(self):
        self.model.train()
        for batch in self.batches():
            self.train_step(batch)
            self.step += 1
            self.maybe_evaluate()
            if self.step >= self.config.max_steps:
                break


class Scorer:
    def __init__(self, net):
        self.net = net

    def score(self, batches):
        self.net.eval()
        with torch.inference_mode():
            return [self.net(batch).argmax(-1) for batch in batches]


class Validation:
    def __init__(self, network, batches):
        self.scorer = Scorer(net=network)
        self.batches = batches

    def check(self):
        return self.scorer.score(self.batches)


class Trainer:
    def __init__(self, network, criterion, train, val):
        self.network = network.cuda()
        self.criterion = criterion
        self.optimizer = torch.optim.SGD(self.network.parameters(), lr=0.1)
        self.train = train
        self.teacher = nn.Sequential(nn.Linear(8, 8), nn.Dropout())
        self.validation = Validation(self.teacher, val)

    def fit(self, epochs):
        self.network.train()
        for _ in range(epochs):
            for x, y in self.train:
                self.optimizer.zero_grad()
                self.criterion(self.network(x), y).backward()
                self.optimizer.step()
            print(self.validation.check())


def main(config, loaders):
    model = nn.Sequential(nn.Linear(8, 8), nn.Dropout()).to("cuda")
    optimizer = torch.optim.AdamW(model.parameters(), lr=config.lr)
    Loop(config, model, optimizer, loaders).run()
    trainer = Trainer(nn.Sequential(nn.Linear(8, 8), nn.Dropout()), nn.CrossEntropyLoss(), *loaders)
    trainer.fit(config.epochs)
