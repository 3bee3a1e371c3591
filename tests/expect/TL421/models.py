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


def adversarial(generator, loader, for_critic):
    critic, loss = nn.DataParallel(Critic()), nn.BCEWithLogitsLoss()
    for real, noise in loader:
        judged_real, judged_fake = critic(real), critic(generator(noise).detach())
        total = loss(judged_real, torch.ones_like(judged_real)) + loss(judged_fake, torch.zeros_like(judged_fake))
        for_critic.zero_grad()
        total.backward()
        for_critic.step()
