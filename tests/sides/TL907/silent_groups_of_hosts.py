"""Groups of which nobody says that they are on GPUs."""

import torch.distributed as dist


def on_hosts(net):
    dist.init_process_group("gloo")
    return net.to("cuda:0")


def somewhere(net, config):
    dist.init_process_group(config.fabric)
    return net.to("cuda:0")
