"""A script that evaluates: it calls its own functions, and nothing in it is a test of software."""

import time

import torch


def test_net(net, loader):
    net.cuda().eval()
    with torch.no_grad():
        for images in loader:
            images = images.cuda()
            start = time.time()
            scores = net(images)
            print(time.time() - start)  # expect: TL802
            print(scores.argmax(1).cpu())


def main(net, loader):
    test_net(net, loader)


if __name__ == "__main__":
    main(torch.nn.Identity(), [])
