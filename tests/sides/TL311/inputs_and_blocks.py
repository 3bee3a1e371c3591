"""Reentrant checkpoints: what their blocks hold, what goes in, and what is done so that gradients are there."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential
from torch.utils.data import DataLoader


class OfALayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3)

    def forward(self, images):
        return checkpoint(self.stem, images, use_reentrant=True)  # expect: TL311


class NotReentrant(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3)

    def forward(self, images):
        return checkpoint(self.stem, images, use_reentrant=False)


class ReentrantByASetting(nn.Module):
    def __init__(self, reentrant):
        super().__init__()
        self.stem, self.reentrant = nn.Conv2d(3, 8, 3), reentrant

    def forward(self, images):
        return checkpoint(self.stem, images, use_reentrant=self.reentrant)


class ToldByOthers(nn.Module):
    def __init__(self, **options):
        super().__init__()
        self.stem, self.options = nn.Conv2d(3, 8, 3), options

    def forward(self, images):
        return checkpoint(self.stem, images, **self.options)


class OfASequence(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Conv2d(8, 8, 3))

    def forward(self, images):
        return checkpoint_sequential(self.stem, 2, images, use_reentrant=True)  # expect: TL311


class OfASequenceByKeyword(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Conv2d(8, 8, 3))

    def forward(self, images):
        return checkpoint_sequential(self.stem, 2, input=images, use_reentrant=True)  # expect: TL311


class OfAnActivation(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = nn.ReLU()

    def forward(self, images):
        return checkpoint(self.act, images, use_reentrant=True)


class OfAList(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Conv2d(3, 3, 3), nn.Conv2d(3, 3, 3)])

    def forward(self, images):
        x = images
        for layer in self.layers:
            x = checkpoint(layer, x, use_reentrant=True)  # expect: TL311
        return x


class OfAMethod(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3)

    def run(self, images):
        return F.relu(self.stem(images))

    def forward(self, images):
        return checkpoint(self.run, images, use_reentrant=True)  # expect: TL311


class OfAFunctionInIt(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3)

    def forward(self, images):
        def run(x):
            return F.relu(self.stem(x))

        return checkpoint(run, images, use_reentrant=True)  # expect: TL311


class OfABlockThatIsHanded(nn.Module):
    def __init__(self, block):
        super().__init__()
        self.block = block

    def forward(self, images):
        return checkpoint(self.block, images, use_reentrant=True)


class BegunByAMethod(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3)

    def forward(self, images):
        images.requires_grad_(True)
        return checkpoint(self.stem, images, use_reentrant=True)


class BegunByAnAttribute(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3)

    def forward(self, images):
        images.requires_grad = True
        return checkpoint(self.stem, images, use_reentrant=True)


class AnotherIsBegun(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3)

    def forward(self, images):
        noise = torch.zeros(1)
        noise.requires_grad_()
        return checkpoint(self.stem, images, use_reentrant=True) + noise  # expect: TL311


class BehindALayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Conv2d(3, 8, 3), nn.Conv2d(8, 8, 3)

    def forward(self, images):
        return checkpoint(self.second, self.first(images), use_reentrant=True)


class BehindAWeight(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem, self.scale = nn.Conv2d(3, 8, 3), nn.Parameter(torch.ones(1))

    def forward(self, images):
        return checkpoint(self.stem, images * self.scale, use_reentrant=True)


class BehindANumber(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3)

    def forward(self, images):
        return checkpoint(self.stem, images / 255, use_reentrant=True)  # expect: TL311


class BehindAFrozenPass(nn.Module):
    def __init__(self, backbone):
        super().__init__()
        self.backbone, self.stem = backbone, nn.Conv2d(3, 8, 3)

    def forward(self, images):
        with torch.no_grad():
            features = self.backbone(images)
        return checkpoint(self.stem, features, use_reentrant=True)  # expect: TL311


class WithNothingRecorded(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3)

    @torch.no_grad()
    def forward(self, images):
        return checkpoint(self.stem, images, use_reentrant=True)


class AskedBefore(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3)

    def forward(self, images):
        if self.training and images.requires_grad:
            return checkpoint(self.stem, images, use_reentrant=True)
        return self.stem(images)


class InTraining(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3)

    def forward(self, images):
        if self.training:
            return checkpoint(self.stem, images, use_reentrant=True)  # expect: TL311
        return self.stem(images)


def train(dataset, criterion, block, backbone, reentrant, options):
    a, b, c, d, e, f = OfALayer(), NotReentrant(), ReentrantByASetting(reentrant), ToldByOthers(**options), OfASequence(), OfAnActivation()
    g, h, i, l = OfAList(), OfAMethod(), OfAFunctionInIt(), OfABlockThatIsHanded(block)
    m, n, p, q, r = BegunByAMethod(), BegunByAnAttribute(), AnotherIsBegun(), BehindALayer(), BehindAWeight()
    s, t, u, v, w, z = BehindANumber(), BehindAFrozenPass(backbone), WithNothingRecorded(), AskedBefore(), InTraining(), OfASequenceByKeyword()
    for x, y in DataLoader(dataset, batch_size=8):
        (criterion(a(x), y) + criterion(b(x), y) + criterion(c(x), y) + criterion(d(x), y)).backward()
        (criterion(e(x), y) + criterion(f(x), y) + criterion(g(x), y) + criterion(h(x), y)).backward()
        (criterion(i(x), y) + criterion(l(x), y)).backward()
        (criterion(m(x), y) + criterion(n(x), y) + criterion(p(x), y)).backward()
        (criterion(q(x), y) + criterion(r(x), y) + criterion(s(x), y) + criterion(t(x), y)).backward()
        (criterion(u(x), y) + criterion(v(x), y) + criterion(w(x), y) + criterion(z(x), y)).backward()
