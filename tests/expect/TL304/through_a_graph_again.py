"""Backward passes through a graph that another one has freed: they raise an error."""

import torch
from torch import nn


def computed_before_the_loop(x, targets):
    encoder, head = nn.Linear(8, 8), nn.Linear(8, 2)
    optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.1)
    features = encoder(x)
    for target in targets:
        loss = nn.functional.cross_entropy(head(features), target)
        optimizer.zero_grad()
        loss.backward()  # expect: TL304
        optimizer.step()


def the_loss_itself(states):
    policy = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(policy.parameters(), lr=0.1)
    loss = policy(states).mean()
    for _ in range(10):
        optimizer.zero_grad()
        loss.backward()  # expect: TL304
        optimizer.step()


def of_the_old_policy(epochs, states):
    policy = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(policy.parameters(), lr=0.1)
    before = policy(states)
    for _ in range(epochs):
        loss = (policy(states) - before).exp().mean()
        optimizer.zero_grad()
        loss.backward()  # expect: TL304
        optimizer.step()


def state_of_a_gru(loader):
    rnn, head = nn.GRU(8, 8), nn.Linear(8, 2)
    optimizer = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)
    state = torch.zeros(1, 4, 8)
    for x, y in loader:
        out, state = rnn(x, state)
        loss = nn.functional.cross_entropy(head(out[-1]), y)
        optimizer.zero_grad()
        loss.backward()  # expect: TL304
        optimizer.step()


def all_losses_so_far(loader):
    net = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    total = 0
    for x, y in loader:
        optimizer.zero_grad()
        total = total + nn.functional.cross_entropy(net(x), y)
        total.backward()  # expect: TL304
        optimizer.step()


class Tagger(nn.Module):
    def __init__(self, words):
        super().__init__()
        self.embed = nn.Embedding(words, 8)
        self.rnn = nn.LSTM(8, 8)
        self.head = nn.Linear(8, words)

    def init_hidden(self, batch):
        return (torch.zeros(1, batch, 8), torch.zeros(1, batch, 8))

    def forward(self, x, hidden):
        out, hidden = self.rnn(self.embed(x), hidden)
        return self.head(out), hidden


class Trainer:
    def __init__(self, words):
        self.model = Tagger(words)
        self.optimizer = torch.optim.Adam(self.model.parameters())
        self.criterion = nn.CrossEntropyLoss()

    def fit(self, loader):
        hidden = self.model.init_hidden(20)
        for x, y in loader:
            self.optimizer.zero_grad()
            out, hidden = self.model(x, hidden)
            loss = self.criterion(out.flatten(0, 1), y.flatten())
            loss.backward()  # expect: TL304
            nn.utils.clip_grad_norm_(self.model.parameters(), 0.25)
            self.optimizer.step()


class Adversaries:
    def __init__(self):
        self.gen, self.disc = nn.Linear(8, 8), nn.Linear(8, 1)
        self.of_gen, self.of_disc = torch.optim.Adam(self.gen.parameters()), torch.optim.Adam(self.disc.parameters())
        self.judge = nn.BCEWithLogitsLoss()

    def train_disc(self, real, fake):
        self.of_disc.zero_grad()
        loss = self.judge(self.disc(real), torch.ones(4, 1)) + self.judge(self.disc(fake), torch.zeros(4, 1))
        loss.backward()
        self.of_disc.step()

    def train_gen(self, fake):
        self.of_gen.zero_grad()
        loss = self.judge(self.disc(fake), torch.ones(4, 1))
        loss.backward()  # expect: TL304
        self.of_gen.step()

    def train(self, loader):
        for real, noise in loader:
            fake = self.gen(noise)
            self.train_disc(real, fake)
            self.train_gen(fake)
