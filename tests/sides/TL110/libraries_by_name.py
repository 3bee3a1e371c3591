"""Libraries that are imported by their name, and the class that says which."""

import importlib

import torch.distributed as dist


class Engine:
    package = "deepspeed"
    other = "engines"

    def __init__(self, path):
        self.path = path
        self.module = importlib.import_module(self.package)
        self.another = importlib.import_module(self.other)
        self.third = importlib.import_module(self.path)

    def begin(self, net):
        self.module.init_distributed()  # expect: TL110
        return net.cuda()

    def begin_another(self, net):
        self.another.init_distributed()
        return net.cuda()

    def begin_third(self, net):
        self.third.init_distributed()
        return net.cuda()


def directly(net):
    engine = importlib.import_module("deepspeed")
    engine.init_distributed()  # expect: TL110
    return net.cuda()


def by_builtin(net):
    group = __import__("torch.distributed", fromlist=["x"])
    group.init_process_group("nccl")  # expect: TL110
    return net.cuda()


def by_a_name_of_somebody(net, name):
    engine = importlib.import_module(name)
    engine.init_distributed()
    return net.cuda()


def by_no_import(net, registry):
    engine = registry.get("deepspeed")
    engine.init_distributed()
    return net.cuda()


def of_an_object(net, cluster):
    cluster.init_process_group("nccl")
    return net.cuda()


def waits(net):
    dist.barrier()
    return net.cuda()
