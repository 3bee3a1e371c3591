"""Several schedulers, in a dict or a list, each stepped once in each epoch."""

import torch


class Trainer:
    def __init__(self, networks, path=None):
        self.networks = networks
        self.optimizers = {name: torch.optim.Adam(net.parameters()) for name, net in networks.items()}
        self.schedulers = {name: torch.optim.lr_scheduler.StepLR(each, 5) for name, each in self.optimizers.items()}
        self.start = 0
        if path is not None:
            self.resume(torch.load(path))

    def resume(self, states):
        self.start = states["epoch"] + 1
        for name, state in states["optimizers"].items():
            self.optimizers[name].load_state_dict(state)

    def save(self, epoch):
        states = {name: each.state_dict() for name, each in self.optimizers.items()}  # expect-likely: TL603
        torch.save({"epoch": epoch, "optimizers": states}, f"{epoch:04d}.pt")

    def run(self, loader, epochs):
        for epoch in range(self.start, epochs):
            for x in loader:
                for optimizer in self.optimizers.values():
                    optimizer.zero_grad()
                sum(net(x).sum() for net in self.networks.values()).backward()
                for optimizer in self.optimizers.values():
                    optimizer.step()
            for scheduler in self.schedulers.values():
                scheduler.step()
            self.save(epoch)


def train(net, loader, epochs, path):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    schedulers = [torch.optim.lr_scheduler.StepLR(optimizer, 5), torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.9)]
    states = torch.load(path)
    net.load_state_dict(states["net"])
    optimizer.load_state_dict(states["optimizer"])
    for epoch in range(states["epoch"] + 1, epochs):
        for x in loader:
            optimizer.zero_grad()
            net(x).sum().backward()
            optimizer.step()
        for scheduler in schedulers:
            scheduler.step()
        torch.save({"net": net.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, path)  # expect: TL603


def train_until_it_is_there(net, loader, epochs, path):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 5)
    states = torch.load(path)
    net.load_state_dict(states["net"])
    optimizer.load_state_dict(states["optimizer"])
    for _ in range(states["epoch"] + 1):
        scheduler.step()
    for epoch in range(states["epoch"] + 1, epochs):
        for x in loader:
            optimizer.zero_grad()
            net(x).sum().backward()
            optimizer.step()
        scheduler.step()
        torch.save({"net": net.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, path)
