"""Lists that become modules in the end, of names, of what is registered elsewhere, of losses; modules of modules."""

import torch
from torch import nn


class Branches(nn.Module):
    def __init__(self, widths):
        super().__init__()
        self.branches = nn.ModuleList(self._make_branches(widths))

    def _make_branches(self, widths):
        return [nn.Conv2d(width, width, 3, padding=1) for width in widths]


class Layers(nn.Module):
    """A list of pairs, each a list of modules itself."""

    def __init__(self, depth, width):
        super().__init__()
        self.layers = nn.ModuleList([])
        for _ in range(depth):
            self.layers.append(nn.ModuleList([nn.MultiheadAttention(width, 8), nn.Linear(width, width)]))


class Upsampled(nn.Module):
    """Filled in a loop, later wrapped under the same name."""

    def __init__(self, rates, width):
        super().__init__()
        ups = []
        for index, rate in enumerate(rates):
            ups.append(nn.ConvTranspose1d(width // 2**index, width // 2 ** (index + 1), 2 * rate, rate))
        self.ups = nn.ModuleList(ups)
        self.rates = list(rates)


class Losses(nn.Module):
    """Losses have no weights."""

    def __init__(self, weights):
        super().__init__()
        self.terms = [nn.L1Loss(), nn.MSELoss()]
        self.weights = dict(zip(("l1", "l2"), weights))

    def forward(self, made, real):
        return sum(term(made, real) for term in self.terms)


class Ordered(nn.Module):
    """The list is for the order: each layer has a name of its own."""

    def __init__(self, width):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 7)
        self.body = nn.Conv2d(width, width, 3)
        self.head = nn.Conv2d(width, 1, 1)
        self.order = [self.stem, self.body, self.head]

    def forward(self, x):
        for layer in self.order:
            x = layer(x)
        return x


class Hidden(nn.Module):
    """A frozen network for a perceptual loss, kept out of the state on purpose."""

    def __init__(self, features):
        super().__init__()
        self._features = (features.eval().requires_grad_(False),)

    def forward(self, made, real):
        return (self._features[0](made) - self._features[0](real)).abs().mean()


class Handles(nn.Module):
    """What hooks leave behind, and which parameters are whose."""

    def __init__(self, net):
        super().__init__()
        self.net = net
        self.handles = [each.register_forward_hook(self.note) for each in net.children()]
        self.groups = [{"params": list(each.parameters()), "lr": 0.1} for each in net.children()]
        self.seen = {}

    def note(self, layer, inputs, output):
        self.seen[id(layer)] = torch.as_tensor(output).detach()
