"""The generator's loss goes through the critic, and leaves gradients there that the critic's own step applies as well."""

import torch
from steps import apply, apply_own
from torch import nn


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 1))

    def forward(self, x):
        return self.layers(x)


def alternate(loader):
    gen, disc = nn.Linear(8, 8), nn.Linear(8, 1)
    for_gen, for_disc = torch.optim.Adam(gen.parameters()), torch.optim.Adam(disc.parameters())
    for real, noise in loader:
        for_gen.zero_grad()
        for_disc.zero_grad()
        fake = gen(noise)
        (-disc(fake).mean()).backward()
        for_gen.step()
        (disc(fake.detach()).mean() - disc(real).mean()).backward()
        for_disc.step()  # expect-likely: TL701


class Adversaries:
    def __init__(self):
        self.gen, self.disc = nn.Linear(8, 8), Critic()
        self.of_gen, self.of_disc = torch.optim.Adam(self.gen.parameters()), torch.optim.Adam(self.disc.parameters())
        self.judge = nn.BCEWithLogitsLoss()

    def cleared_at_once(self, loader):
        for real, noise in loader:
            self.of_disc.zero_grad()
            self.of_gen.zero_grad()
            fake = self.gen(noise)
            self.judge(self.disc(fake), torch.ones(4, 1)).backward()
            self.of_gen.step()
            loss = self.judge(self.disc(real), torch.ones(4, 1)) + self.judge(self.disc(fake.detach()), torch.zeros(4, 1))
            loss.backward()
            self.of_disc.step()  # expect-likely: TL701

    def cleared_in_time(self, loader):
        for real, noise in loader:
            self.of_gen.zero_grad()
            fake = self.gen(noise)
            self.judge(self.disc(fake), torch.ones(4, 1)).backward()
            self.of_gen.step()
            self.disc.zero_grad()
            loss = self.judge(self.disc(real), torch.ones(4, 1)) + self.judge(self.disc(fake.detach()), torch.zeros(4, 1))
            loss.backward()
            self.of_disc.step()

    def critic_first(self, loader):
        for real, noise in loader:
            self.of_disc.zero_grad()
            self.of_gen.zero_grad()
            fake = self.gen(noise)
            loss = self.judge(self.disc(real), torch.ones(4, 1)) + self.judge(self.disc(fake.detach()), torch.zeros(4, 1))
            loss.backward()
            self.of_disc.step()
            self.judge(self.disc(fake), torch.ones(4, 1)).backward()
            self.of_gen.step()


def helped(loader):
    gen, disc = nn.Linear(8, 8), Critic()
    for_gen, for_disc = torch.optim.Adam(gen.parameters()), torch.optim.Adam(disc.parameters())
    for real, noise in loader:
        for each in (for_gen, for_disc):
            each.zero_grad()
        fake = gen(noise)
        apply_own(-disc(fake).mean(), for_gen)
        apply(disc(fake.detach()).mean() - disc(real).mean(), for_disc)


def one_encoder_for_two(loader):
    encoder, one, two = nn.Linear(8, 8), nn.Linear(8, 1), nn.Linear(8, 1)
    shared, first, second = (torch.optim.Adam(each.parameters()) for each in (encoder, one, two))
    for x in loader:
        shared.zero_grad()
        first.zero_grad()
        second.zero_grad()
        one(encoder(x)).mean().backward()
        first.step()
        two(encoder(x)).mean().backward()
        second.step()
        shared.step()


def of_both(loader):
    encoder, gen = nn.Linear(8, 8), nn.Linear(8, 8)
    for_encoder, for_gen = torch.optim.Adam(encoder.parameters()), torch.optim.Adam(gen.parameters())
    for x, noise in loader:
        for_encoder.zero_grad()
        for_gen.zero_grad()
        (gen(encoder(x)) - x).abs().mean().backward()
        for_encoder.step()
        (encoder(gen(noise)) - noise).abs().mean().backward()
        for_gen.step()
