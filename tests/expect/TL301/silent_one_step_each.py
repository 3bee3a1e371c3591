"""A loop over things that are trained, each with an optimizer of its own, inside of one step: what it fills is gone with that."""

import torch


class Adversary(torch.nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.optimizer = torch.optim.Adam(net.parameters())

    def train_adv(self, fake, real):
        loss = self.net(fake.detach()).mean() - self.net(real).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss


class Solver:
    def __init__(self, model, adversaries):
        self.model = model
        self.adversaries = adversaries

    def run_step(self, batch, metrics):
        made = self.model(batch)
        losses = {}
        for name, adversary in self.adversaries.items():
            losses[f"d_{name}"] = adversary.train_adv(made, batch)
        metrics["d"] = torch.stack(list(losses.values())).sum()
        return made


def main(loader, model, nets):
    solver = Solver(model, {name: Adversary(net) for name, net in nets.items()})
    for batch in loader:
        solver.run_step(batch, {})
