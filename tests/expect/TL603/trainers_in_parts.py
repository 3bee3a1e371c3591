"""A class whose state is its weights alone, and another whose state is put together of several things."""

import torch
from torch import nn


class Wrapped(nn.Module):
    """A module around a module: its state is weights."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x)

    def state_dict(self, *args, **kwargs):
        return self.inner.state_dict(*args, **kwargs)

    def load_state_dict(self, state, strict=True):
        return self.inner.load_state_dict(state, strict)


def around_a_module(args, net, loader):
    model = Wrapped(net)
    optimizer = torch.optim.Adam(model.parameters())
    start = 0
    if args.resume:
        checkpoint = torch.load(args.resume, map_location="cpu")
        model.load_state_dict(checkpoint["model"])
        start = checkpoint["epoch"] + 1
    for epoch in range(start, args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            model(batch).mean().backward()
            optimizer.step()
        torch.save({"model": model.state_dict(), "epoch": epoch}, args.output)  # expect: TL603


class Agent:
    """Two networks, and nothing of what trains them."""

    def __init__(self, actor, critic):
        self.actor, self.critic = actor, critic
        self.optimizer = torch.optim.Adam([*actor.parameters(), *critic.parameters()])

    def state_dict(self):
        return {"actor": self.actor.state_dict(), "critic": self.critic.state_dict()}

    def load_state_dict(self, state):
        self.actor.load_state_dict(state["actor"])
        self.critic.load_state_dict(state["critic"])

    def update(self, batch):
        self.optimizer.zero_grad()
        (self.actor(batch) * self.critic(batch)).mean().backward()
        self.optimizer.step()


def of_two_networks(args, actor, critic, loader):
    agent = Agent(actor, critic)
    start = 0
    if args.resume:
        checkpoint = torch.load(args.resume, map_location="cpu")
        agent.load_state_dict(checkpoint["agent"])
        start = checkpoint["epoch"] + 1
    for epoch in range(start, args.epochs):
        for batch in loader:
            agent.update(batch)
        torch.save({"agent": agent.state_dict(), "epoch": epoch}, args.output)  # expect: TL603
