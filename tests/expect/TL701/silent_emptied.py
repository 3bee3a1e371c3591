"""Somebody empties the gradients, in one of the ways people do it."""

import torch


def at_the_end(model, loader, optimizer):
    for x, y in loader:
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)


def each_parameter(model, loader, optimizer):
    for x in loader:
        model(x).sum().backward()
        optimizer.step()
        for group in optimizer.param_groups:
            for parameter in group["params"]:
                parameter.grad = None


def in_place(model, loader, optimizer):
    for x in loader:
        for parameter in model.parameters():
            if parameter.grad is not None:
                parameter.grad.detach_()
                parameter.grad.zero_()
        model(x).sum().backward()
        optimizer.step()


def several(model, loader):
    optimizers = [torch.optim.SGD(part.parameters(), 0.1) for part in model.children()]
    for x in loader:
        for optimizer in optimizers:
            optimizer.zero_grad()
        model(x).sum().backward()
        for optimizer in optimizers:
            optimizer.step()


def of_both(generator, critic, loader, judge):
    opt_g = torch.optim.Adam(generator.parameters())
    opt_d = torch.optim.Adam(critic.parameters())
    for real, noise in loader:
        fake = generator(noise)
        critic.zero_grad()
        judge(critic(real), critic(fake.detach())).backward()
        opt_d.step()
        generator.zero_grad()
        judge(critic(fake), None).backward()
        opt_g.step()


class Network(torch.nn.Module):
    def forward(self, x):
        return x


def of_the_model(loader):
    network = Network()
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
    for x in loader:
        network.zero_grad()
        network(x).sum().backward()
        optimizer.step()


def when_it_steps(model, loader, optimizer, every):
    model.zero_grad()
    for number, x in enumerate(loader, 1):
        (model(x).sum() / every).backward()
        if number % every == 0 or number == len(loader):
            optimizer.step()
            model.zero_grad()
