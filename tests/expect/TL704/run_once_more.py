"""One method trains and tests, told which; and passes of which only one thing says that they evaluate."""

import torch
from torch import nn
from torch.nn import functional


class Trainer:
    def __init__(self, train_data, test_data):
        self.model = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.1), nn.Linear(8, 2))
        self.optimizer = torch.optim.Adam(self.model.parameters())
        self.train_data, self.test_data = train_data, test_data

    def train(self):
        self.iteration(self.train_data)

    def test(self):
        self.iteration(self.test_data, train=False)

    def iteration(self, data, train=True):
        correct = 0
        for batch, labels in data:
            output = self.model.forward(batch)  # expect: TL704
            if train:
                self.optimizer.zero_grad()
                functional.cross_entropy(output, labels).backward()
                self.optimizer.step()
            correct += output.argmax(-1).eq(labels).sum().item()
        print(correct)


def main(train_data, test_data):
    trainer = Trainer(train_data, test_data)
    for _ in range(10):
        trainer.train()
        trainer.test()


def decoded(train_loader, test_loader, decoder):
    model = nn.Sequential(nn.Linear(8, 8), nn.BatchNorm1d(8))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(10):
        model.train()
        for batch, labels in train_loader:
            optimizer.zero_grad()
            functional.mse_loss(model(batch), labels).backward()
            optimizer.step()
        wrong = 0
        for batch, labels in test_loader:
            out = model(batch)  # expect-likely: TL704
            texts = decoder.decode(out.data)
            for text, label in zip(texts, labels):
                wrong += decoder.distance(text, label)
        print(wrong)


def twice(loader):
    model = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.5))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.train()
    for batch, labels in loader:
        optimizer.zero_grad()
        loss_of(model, batch, labels).backward()
        optimizer.step()
        with torch.no_grad():
            print(loss_of(model, batch, labels).item())


def loss_of(model, batch, labels):
    return functional.mse_loss(model(batch), labels)


class Agent:
    def __init__(self, actor: nn.Module):
        self.actor = actor
        self.optimizer = torch.optim.Adam(self.actor.parameters())

    def train(self):
        self.actor.train()

    def eval(self):
        self.actor.eval()

    def experience(self, prompts):
        self.eval()
        with torch.no_grad():
            answers = self.actor.generate(prompts)
        self.train()
        with torch.no_grad():
            output = self.actor(answers)
        return {"answers": answers, "old": output.logits}

    def learn(self, seen):
        loss = (self.actor(seen["answers"]).logits - seen["old"]).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


def played(actor: nn.Module, prompts):
    agent = Agent(actor)
    for batch in prompts:
        seen = agent.experience(batch)
        agent.learn(seen)
