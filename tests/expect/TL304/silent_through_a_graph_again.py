"""Graphs that are made anew, cut off, kept, or never recorded."""

import torch
from torch import nn


def each_time(x, targets):
    encoder, head = nn.Linear(8, 8), nn.Linear(8, 2)
    optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.1)
    for target in targets:
        loss = nn.functional.cross_entropy(head(encoder(x)), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def not_recorded(x, targets):
    encoder, head = nn.Linear(8, 8), nn.Linear(8, 2)
    optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
    with torch.no_grad():
        features = encoder(x)
    for target in targets:
        loss = nn.functional.cross_entropy(head(features), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def cut_off(x, targets):
    encoder, head = nn.Linear(8, 8), nn.Linear(8, 2)
    optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
    features = encoder(x).detach()
    for target in targets:
        loss = nn.functional.cross_entropy(head(features), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def computed_again_at_the_end(x, steps):
    net = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    out = net(x)
    for _ in range(steps):
        optimizer.zero_grad()
        out.mean().backward()
        optimizer.step()
        out = net(x)


def once_only(x, batches):
    net = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    out = net(x)
    for batch in batches:
        optimizer.zero_grad()
        (out - batch).mean().backward()
        optimizer.step()
        break


def state_is_cut_off(loader):
    rnn, head = nn.LSTM(8, 8), nn.Linear(8, 2)
    optimizer = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)
    state = (torch.zeros(1, 4, 8), torch.zeros(1, 4, 8))
    for x, y in loader:
        out, state = rnn(x, state)
        state = tuple(each.detach() for each in state)
        loss = nn.functional.cross_entropy(head(out[-1]), y)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(rnn.parameters(), 1.0)
        optimizer.step()


def state_is_cut_off_in_place(loader):
    rnn, head = nn.GRU(8, 8), nn.Linear(8, 2)
    optimizer = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)
    state = torch.zeros(1, 4, 8)
    for x, y in loader:
        state.detach_()
        out, state = rnn(x, state)
        optimizer.zero_grad()
        nn.functional.cross_entropy(head(out[-1]), y).backward()
        nn.utils.clip_grad_norm_(rnn.parameters(), 1.0)
        optimizer.step()


def state_of_one_batch(loader):
    cell, head = nn.GRUCell(8, 8), nn.Linear(8, 2)
    optimizer = torch.optim.SGD([*cell.parameters(), *head.parameters()], lr=0.1)
    for xs, y in loader:
        state = torch.zeros(4, 8)
        for x in xs:
            state = cell(x, state)
        optimizer.zero_grad()
        nn.functional.cross_entropy(head(state), y).backward()
        nn.utils.clip_grad_norm_(cell.parameters(), 1.0)
        optimizer.step()


def a_window_of_time(loader, every):
    rnn, head = nn.GRU(8, 8), nn.Linear(8, 2)
    optimizer = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)
    state, loss = torch.zeros(1, 4, 8), 0
    for i, (x, y) in enumerate(loader):
        out, state = rnn(x, state)
        loss = loss + nn.functional.cross_entropy(head(out[-1]), y)
        if i % every == 0:
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(rnn.parameters(), 1.0)
            optimizer.step()
            state, loss = state.detach(), 0


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
        loss.backward()
        self.of_gen.step()

    def train(self, loader):
        for real, noise in loader:
            fake = self.gen(noise)
            self.train_disc(real, fake.detach())
            self.train_gen(fake)


class Agent:
    """The error of the critic is subtracted where nothing is recorded: the actor's graph is its own."""

    def __init__(self, states, actions):
        self.critic, self.actor = nn.Linear(states, 1), nn.Linear(states, actions)
        self.critic_optimizer = torch.optim.Adam(self.critic.parameters())
        self.actor_optimizer = torch.optim.Adam(self.actor.parameters())

    def learn(self, state, action, reward, following):
        value = self.critic(state)
        with torch.no_grad():
            target = reward + 0.9 * self.critic(following)
            advantage = target - value
        self.critic_optimizer.zero_grad()
        nn.functional.mse_loss(value, target).backward()
        self.critic_optimizer.step()
        policy = torch.distributions.Categorical(logits=self.actor(state))
        self.actor_optimizer.zero_grad()
        (-advantage * policy.log_prob(action)).mean().backward()
        self.actor_optimizer.step()

    def learn_by_a_helper(self, state, action, reward, following):
        value = self.critic(state)
        advantage = surprise(reward + 0.9 * self.critic(following).detach(), value)
        self.critic_optimizer.zero_grad()
        nn.functional.mse_loss(value, reward).backward()
        self.critic_optimizer.step()
        policy = torch.distributions.Categorical(logits=self.actor(state))
        self.actor_optimizer.zero_grad()
        (-advantage * policy.log_prob(action)).mean().backward()
        self.actor_optimizer.step()


@torch.no_grad()
def surprise(target, value):
    return target - value


def play(steps):
    agent = Agent(4, 2)
    for state, action, reward, following in steps:
        agent.learn(state, action, reward, following)
        agent.learn_by_a_helper(state, action, reward, following)
