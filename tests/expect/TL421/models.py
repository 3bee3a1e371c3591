"""Models that end in a sigmoid and are trained with logits."""

import torch
from torch import nn


class Unet(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.down = nn.Conv2d(3, width, 3, padding=1)
        self.up = nn.Conv2d(width, 1, 1)
        self.sigmoid = nn.Sigmoid()

    def forward(self, images):
        return self.sigmoid(self.up(torch.relu(self.down(images))))  # expect: TL421


def segment(loader, device):
    net = Unet(16).to(device)
    criterion = nn.BCEWithLogitsLoss()
    for images, masks in loader:
        predicted = net(images.to(device))
        loss = criterion(predicted.squeeze(1), masks.to(device))
        loss.backward()


class Critic(nn.Module):
    """Of a GAN."""

    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(
            nn.Conv2d(3, 64, 4, 2, 1),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(64, 1, 4, 1, 0),
            nn.Sigmoid(),  # expect: TL421
            nn.Flatten(0),
        )

    def forward(self, images):
        return self.main(images).view(-1)


class Mlp(nn.Module):
    """Its layers are put together in a list."""

    def __init__(self, widths):
        super().__init__()
        layers = []
        for before, after in zip(widths, widths[1:]):
            layers.append(nn.Linear(before, after))
            layers.append(nn.ReLU())
        layers.append(nn.Linear(widths[-1], 1))
        layers.append(nn.Sigmoid())  # expect: TL421
        self.net = nn.Sequential(*layers)

    def forward(self, x):
        return self.net(x)


def tabular(loader):
    net, criterion = Mlp([30, 64, 64]), nn.BCEWithLogitsLoss()
    for x, y in loader:
        criterion(net(x).squeeze(-1), y).backward()


def adversarial(generator, loader, for_critic):
    critic, loss = nn.DataParallel(Critic()), nn.BCEWithLogitsLoss()  # expect: TL116
    for real, noise in loader:
        judged_real, judged_fake = critic(real), critic(generator(noise).detach())
        total = loss(judged_real, torch.ones_like(judged_real)) + loss(judged_fake, torch.zeros_like(judged_fake))
        for_critic.zero_grad()
        total.backward()
        for_critic.step()
