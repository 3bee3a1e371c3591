"""Passes without gradients, or over what is called test data, that measure nothing, or measure how far answers lie apart."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 4)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        return self.drop(self.layer(x))


def label(net, unlabelled):
    found = []
    with torch.no_grad():
        for x in unlabelled:
            found.append(net(x).argmax(1).cpu())
    return torch.cat(found)


def self_training(loader, unlabelled):
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    labels = None
    for epoch in range(3):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(net(x), y).backward()
            optimizer.step()
        labels = label(net, unlabelled)
        loader = zip(unlabelled, labels)


@torch.no_grad()
def play(net, env):
    total = 0.0
    state = env.reset()
    for _ in range(100):
        action = net(state).argmax().item()
        state, reward, done = env.step(action)
        total += reward
        if done:
            break
    return total


def agent(env, memory):
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for episode in range(3):
        net.train()
        for x, y in memory:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
        print(play(net, env))


def collect(net, env, memory):
    state = env.reset()
    with torch.no_grad():
        while not env.done:
            action = net(state)
            state = env.step(action)
            memory.add(state, action)


def agent_two(env, memory):
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for episode in range(3):
        net.train()
        collect(net, env, memory)
        for x, y in memory:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()


def statistics(loader):
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for episode in range(3):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
        with torch.no_grad():
            for x, y in loader:
                net(x)


def meta(net, tasks, optimizer, test_tasks):
    for x, y in tasks:
        net.train()
        optimizer.zero_grad()
        nn.functional.mse_loss(net(x), y).backward()
        optimizer.step()
    for epoch in range(3):
        net.train()
        for x, y in tasks:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
        for x, y in test_tasks:
            gradients = torch.autograd.grad(nn.functional.mse_loss(net(x), y), list(net.parameters()))
            for parameter, gradient in zip(net.parameters(), gradients):
                parameter.data -= 0.1 * gradient


def spread(loader, test_loader, times):
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(3):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(net(x), y).backward()
            optimizer.step()
        with torch.no_grad():
            for x, _ in test_loader:
                answers = torch.stack([net(x) for _ in range(times)])
                print(answers.std(0).mean().item())


def relative_to_itself(args, loader, accelerator):
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(3):
        net.train()
        for x, y in loader:
            with accelerator.accumulate(net):
                pred = net(x)
                model_losses = F.mse_loss(pred.float(), y, reduction="none")
                model_diff, _ = model_losses.chunk(2)
                with torch.no_grad():
                    ref = net(x).detach()
                    ref_loss = F.mse_loss(ref.float(), y, reduction="none")
                    ref_diff, _ = ref_loss.chunk(2)
                logits = ref_diff - model_diff
                if args.kind == "sigmoid":
                    loss = -1 * F.logsigmoid(args.beta * logits).mean()
                elif args.kind == "hinge":
                    loss = torch.relu(1 - args.beta * logits).mean()
                else:
                    raise ValueError(args.kind)
                acc = (logits > 0).sum().float() / logits.size(0)
                accelerator.backward(loss)
                optimizer.step()
                optimizer.zero_grad()
            print(acc.item())
