import torch


def build(network, device):
    network = network.to(device)
    network.half()  # expect: TL407
    return network


def optimizer_of(network, rate):
    return torch.optim.Adam(network.parameters(), lr=rate)
