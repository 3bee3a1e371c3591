"""One module in brackets: some hide a module so, and some forget the container that registers it."""

from torch import nn


class Loss(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = [nn.Sequential(nn.Conv2d(3, 64, 3), nn.ReLU())]

    def forward(self, x, y):
        return (self.hidden[0](x) - self.hidden[0](y)).abs().mean()


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
        if self.downsamplers is not None:
            for each in self.downsamplers:
                x = each(x)
        return x
