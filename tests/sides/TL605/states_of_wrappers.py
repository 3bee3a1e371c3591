"""A model without a wrapper reads states; what is saved is the state of a wrapper, or of what is in it."""

import torch
from torch import nn
from torch.nn.parallel import DataParallel, DistributedDataParallel


def read(path):
    layer = nn.Linear(4, 4)
    layer.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))
    return layer


def of_the_wrapper(layer, path):
    wrapped = DistributedDataParallel(layer)
    torch.save(wrapped.state_dict(), path)  # expect: TL605


def of_the_other_wrapper(layer, path):
    wrapped = DataParallel(layer)
    torch.save(wrapped.state_dict(), path)  # expect: TL605


def of_the_inside(layer, path):
    wrapped = DistributedDataParallel(layer)
    torch.save(wrapped.module.state_dict(), path)


def of_the_layer(layer, path):
    wrapped = DistributedDataParallel(layer)
    torch.save(layer.state_dict(), path)
    return wrapped


def under_a_key(layer, path, epoch):
    wrapped = DistributedDataParallel(layer)
    torch.save({"epoch": epoch, "net": wrapped.state_dict()}, path)  # expect: TL605


def under_a_key_set_later(layer, path, epoch):
    wrapped = DistributedDataParallel(layer)
    found = {"epoch": epoch}
    found["net"] = wrapped.state_dict()  # expect: TL605
    torch.save(found, path)


def by_update(layer, path, epoch):
    wrapped = DistributedDataParallel(layer)
    found = {"epoch": epoch}
    found.update(net=wrapped.state_dict())  # expect: TL605
    torch.save(found, path)


def by_a_function_of_dict(layer, path, epoch):
    wrapped = DistributedDataParallel(layer)
    found = dict(epoch=epoch, net=wrapped.state_dict())  # expect: TL605
    torch.save(found, path)


def by_setdefault(layer, path, epoch):
    wrapped = DistributedDataParallel(layer)
    found = {"epoch": epoch}
    found.setdefault("net", wrapped.state_dict())  # expect: TL605
    torch.save(found, path)


def in_a_helper(layer, path, epoch):
    wrapped = DistributedDataParallel(layer)
    found = {"epoch": epoch}
    add_state(found, wrapped)
    torch.save(found, path)
    return wrapped


def add_state(found, net):
    found["net"] = net.module.state_dict()


def not_saved(layer):
    wrapped = DistributedDataParallel(layer)
    return wrapped.state_dict()


def perhaps_wrapped(layer, path, several):
    net = DistributedDataParallel(layer) if several else layer
    torch.save(net.state_dict(), path)  # expect-likely: TL605


def something_else_saved(layer, path, epoch):
    wrapped = DistributedDataParallel(layer)
    print(len(wrapped.state_dict()))
    torch.save({"epoch": epoch}, path)
