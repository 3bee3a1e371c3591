"""It holds no word of a loss: what it starts does."""

import torch
from engine import one_epoch
from nets import SmallNet


def main(loader, device):
    net = SmallNet(10).to(device)
    if torch.cuda.device_count() > 1:
        net = torch.nn.DataParallel(net)  # expect: TL116
    net = torch.compile(net)
    one_epoch(net, loader, torch.optim.Adam(net.parameters()))
