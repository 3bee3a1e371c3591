"""One module in brackets: some hide a module so, and some forget the container that registers it."""

from torch import nn


class Block(nn.Module):
    def __init__(self, channels, down, teacher):
        super().__init__()
        self.layer = nn.Conv2d(channels, channels, 3)
        self.teacher = [teacher]
        if down:
            self.downsamplers = [nn.Conv2d(channels, channels, 3, stride=2)]  # expect-likely: TL714
        else:
            self.downsamplers = None

    def forward(self, x):
        x = self.layer(x)
        for each in self.downsamplers or ():
            x = each(x)
        return x
