"""Passes that are only likely to be of a model in evaluation mode, or to want no gradients: one out of sight; of several models that are never made together, one is."""

import registry
import torch
import torch.nn.functional as F
from torch import nn


class Narrow(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 2)

    def forward(self, batch):
        return self.body(batch)


class Wide(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 2)

    def forward(self, batch):
        return F.relu(self.body(batch))


def one_of_several(kind, train_loader, held_out, epochs):
    if kind == "narrow":
        model = Narrow()
    elif kind == "wide":
        model = Wide()
    model.cuda()
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(epochs):
        for batch, labels in train_loader:
            model.train()
            optimizer.zero_grad()
            F.cross_entropy(model(batch), labels).backward()
            optimizer.step()
        right = 0
        for batch, labels in held_out:
            model.eval()
            scores = model(batch)  # expect: TL303
            right += (scores.argmax(1) == labels).sum().item()
        print(right)


class Potential(nn.Module):
    def forward(self, positions):
        energy = self.energy(positions)
        return energy, -torch.autograd.grad(energy.sum(), positions)[0]


def out_of_sight(settings, loader):
    model = registry.build(settings)
    model.eval()
    found = []
    for batch in loader:
        found.extend(model(batch).cpu().tolist())  # expect-likely: TL303
    return found


def in_sight(loader):
    model = Potential()
    model.eval()
    found = []
    for batch in loader:
        found.append(model(batch)[1].cpu())
    return found


def both(settings, loader, warm):
    """Neither the mode nor what the pass does is known: that is too little."""
    model = registry.build(settings)
    if warm:
        model.train()
    else:
        model.eval()
    for batch in loader:
        print(model(batch).argmax())


def a_mode_of_some_torch(some, loader):
    torch_or_not, nn_or_not = some()
    model = Narrow()
    model.eval()
    for batch in loader:
        with torch_or_not.no_grad():
            print(model(batch), nn_or_not)


def the_first_batch(path, loader):
    model = Narrow()
    model.load_state_dict(torch.load(path))
    model.eval()
    for batch in loader:
        print(model(batch))
        break


def one_of_each(batch):
    for kind in (Narrow, Wide):
        model = kind()
        model.eval()
        print(model(batch).shape)
