"""How the backend is said: by text, by a constant, by a default, by a comparison; only one of GPUs matters."""

import argparse

import torch
import torch.distributed as dist
from torch.distributed import Backend


def by_position(net):
    dist.init_process_group("nccl")  # expect: TL110
    return net.cuda()


def on_hosts(net):
    dist.init_process_group("gloo")
    return net.cuda()


def on_both(net):
    dist.init_process_group("cpu:gloo,cuda:nccl")  # expect: TL110
    return net.cuda()


def none(net):
    # None means both
    dist.init_process_group(backend=None)  # expect: TL110
    return net.cuda()


def a_constant(net):
    dist.init_process_group(Backend.NCCL)  # expect: TL110
    return net.cuda()


def another_constant(net):
    dist.init_process_group(Backend.GLOO)
    return net.cuda()


def by_a_default(net, transport="nccl"):
    dist.init_process_group(transport)  # expect: TL110
    return net.cuda()


def by_another_default(net, transport="gloo"):
    dist.init_process_group(transport)
    return net.cuda()


def by_no_default(net, transport):
    dist.init_process_group(transport)
    return net.cuda()


def by_a_computed_default(net, transport=PREFERRED):
    dist.init_process_group(transport)
    return net.cuda()


def compared(net, transport):
    dist.init_process_group(transport)  # expect: TL110
    if transport == "nccl":
        print("on GPUs")
    return net.cuda()


def compared_the_other_way(net, transport):
    dist.init_process_group(transport)  # expect: TL110
    if "nccl" == transport:
        print("on GPUs")
    return net.cuda()


def compared_with_several(net, transport):
    dist.init_process_group(transport)  # expect: TL110
    if transport in ("nccl", "ucc"):
        print("on GPUs")
    return net.cuda()


def compared_with_others(net, transport):
    dist.init_process_group(transport)
    if transport in ("gloo", None, 3):
        print("on hosts")
    return net.cuda()


def compared_with_a_setting(net, transport, config):
    dist.init_process_group(transport)
    if transport == config.transport:
        print("as configured")
    return net.cuda()


def something_else_compared(net, transport, config):
    dist.init_process_group(transport)
    if config.logging == "nccl":
        print("on GPUs")
    return net.cuda()


def chosen(net):
    kind = "nccl" if torch.cuda.is_available() else "gloo"
    dist.init_process_group(kind)  # expect: TL110
    return net.cuda()


def by_the_command_line(net):
    parser = argparse.ArgumentParser()
    parser.add_argument("--fabric", default="nccl")
    parser.add_argument("--link", default="gloo")
    args = parser.parse_args()
    dist.init_process_group(args.fabric)  # expect: TL110
    return net.cuda()


def by_the_command_line_on_hosts(net, args):
    dist.init_process_group(args.link)
    return net.cuda()


PREFERRED = ("nccl" + "").strip()
