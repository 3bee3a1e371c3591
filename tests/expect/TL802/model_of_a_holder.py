"""A model that a holder has."""

import time

import torch


class Deployed:
    def __init__(self, network, name):
        self.network = network
        self.name = name


def latency(model, images):
    model = model.cuda().eval()
    deployed = Deployed(model, "large")
    with torch.no_grad():
        begin = time.time()
        output = deployed.network(images)
        print(deployed.name, time.time() - begin)  # expect: TL802
    return output


def latency_waited(model, images):
    model = model.cuda().eval()
    deployed = Deployed(model, "large")
    with torch.no_grad():
        begin = time.time()
        output = deployed.network(images)
        torch.cuda.synchronize()
        print(deployed.name, time.time() - begin)
    return output
