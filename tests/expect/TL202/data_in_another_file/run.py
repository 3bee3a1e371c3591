"""The wrapped model is one only where several processes run; the loader is the same in any case."""

import torch
from speech import loaders
from torch.nn.parallel import DistributedDataParallel as Wrapped


def prepare(net, config):
    net.to(config.device)
    if config.distributed:
        torch.distributed.init_process_group("nccl")
        net = Wrapped(net, device_ids=[config.gpu])
    return net


def learn(net, feed, optimizer):
    net.train()
    for sounds, texts in feed:
        loss = net(sounds, texts)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def check(net, feed):
    net.eval()
    with torch.no_grad():
        return sum(net(sounds, texts).item() for sounds, texts in feed)


def main(config, net, optimizer):
    feed, held_out = loaders(config)
    net = prepare(net, config)
    for epoch in range(config.epochs):
        learn(net, feed, optimizer)
        print(epoch, check(net, held_out))
