"""The container is the loss: a backward pass starts from what is in it."""

import torch


def stacked(model, loader, optimizer, heads):
    for x, targets in loader:
        features = model(x)
        losses = []
        for head, target in zip(heads, targets):
            losses.append(head(features, target))
        optimizer.zero_grad()
        torch.stack(losses).mean().backward()
        optimizer.step()


def episode(policy, env, optimizer, episodes):
    saved, rewards = [], []
    for _ in range(episodes):
        state = env.reset()
        while not env.done:
            distribution = policy(state)
            action = distribution.sample()
            saved.append(distribution.log_prob(action))
            state, reward = env.step(action)
            rewards.append(reward)
        loss = sum(-p * r for p, r in zip(saved, rewards))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        del saved[:]
        rewards.clear()


def unrolled(cell, steps, loader, criterion, optimizer):
    for x, y in loader:
        hidden, outputs = None, []
        for t in range(steps):
            output, hidden = cell(x[:, t], hidden)
            outputs.append(output)
        loss = criterion(torch.stack(outputs, 1), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def backward_later(model, batches, optimizer, criterion):
    losses = []
    for x, y in batches:
        losses.append(criterion(model(x), y))
    for loss in losses:
        loss.backward()
    optimizer.step()


class Model:
    def forward(self, xs):
        outputs = []
        for x in xs:
            outputs.append(self.layer(x))
        return torch.cat(outputs)

    def step(self, xs, y):
        self.losses.append(self.criterion(self.forward(xs), y))
        total = sum(self.losses)
        total.backward()
        self.optimizer.step()
        self.losses = []


def repackage(hidden):
    if isinstance(hidden, torch.Tensor):
        return hidden.detach()
    return tuple(repackage(part) for part in hidden)


def hidden_state(model, loader, optimizer, criterion):
    hidden = model.init_hidden()
    for x, y in loader:
        hidden = repackage(hidden)
        output, hidden = model(x, hidden)
        loss = criterion(output, y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
