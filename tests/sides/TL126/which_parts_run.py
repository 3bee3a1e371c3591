"""Which parts of a model surely take part in each forward pass."""

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(x)


def wraps_plain(rank):
    return DDP(Plain().to(rank), device_ids=[rank], find_unused_parameters=True)  # expect: TL126


class Spare(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.spare = nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(x)


def wraps_spare(rank):
    return DDP(Spare().to(rank), device_ids=[rank], find_unused_parameters=True)


class WithDropout(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        return self.layer(x)


def wraps_with_dropout(rank):
    return DDP(WithDropout().to(rank), device_ids=[rank], find_unused_parameters=True)  # expect: TL126


class WithBuffers(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.width = 4

    def forward(self, x):
        return self.layer(x)


def wraps_with_buffers(rank):
    return DDP(WithBuffers().to(rank), device_ids=[rank], find_unused_parameters=True)  # expect: TL126


class InABranch(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.other = nn.Linear(4, 4)

    def forward(self, x):
        if x.mean() > 0:
            x = self.other(x)
        return self.layer(x)


def wraps_in_a_branch(rank):
    return DDP(InABranch().to(rank), device_ids=[rank], find_unused_parameters=True)


class InAnExpression(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.other = nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(self.other(x) if x.mean() > 0 else x)


def wraps_in_an_expression(rank):
    return DDP(InAnExpression().to(rank), device_ids=[rank], find_unused_parameters=True)


class LeavesEarly(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        if x.mean() > 0:
            return x
        return self.layer(x)


def wraps_leaves_early(rank):
    return DDP(LeavesEarly().to(rank), device_ids=[rank], find_unused_parameters=True)


class Several(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(x), x


def wraps_several(rank):
    return DDP(Several().to(rank), device_ids=[rank], find_unused_parameters=True)


class InADict(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        return {"out": self.layer(x)}


def wraps_in_a_dict(rank):
    return DDP(InADict().to(rank), device_ids=[rank], find_unused_parameters=True)


class Container(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 4))

    def forward(self, x):
        return self.layers(x)


def wraps_container(rank):
    return DDP(Container().to(rank), device_ids=[rank], find_unused_parameters=True)  # expect: TL126


class BareContainer(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.acts = nn.Sequential(nn.ReLU(), nn.Tanh())

    def forward(self, x):
        return self.layer(x)


def wraps_bare_container(rank):
    return DDP(BareContainer().to(rank), device_ids=[rank], find_unused_parameters=True)


class ListGoneThrough(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def wraps_list_gone_through(rank):
    return DDP(ListGoneThrough().to(rank), device_ids=[rank], find_unused_parameters=True)  # expect: TL126


class ListNumbered(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])

    def forward(self, x):
        for number, layer in enumerate(self.layers):
            x = layer(x) + number
        return x


def wraps_list_numbered(rank):
    return DDP(ListNumbered().to(rank), device_ids=[rank], find_unused_parameters=True)  # expect: TL126


class ListInPart(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])

    def forward(self, x):
        return self.layers[0](x)


def wraps_list_in_part(rank):
    return DDP(ListInPart().to(rank), device_ids=[rank], find_unused_parameters=True)


class ListLeftEarly(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4), nn.Linear(4, 4)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
            if x.mean() > 0:
                break
        return x


def wraps_list_left_early(rank):
    return DDP(ListLeftEarly().to(rank), device_ids=[rank], find_unused_parameters=True)


class Parameter(nn.Module):
    def __init__(self):
        super().__init__()
        self.start = nn.Parameter(torch.zeros(4))
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(x + self.start)


def wraps_parameter(rank):
    return DDP(Parameter().to(rank), device_ids=[rank], find_unused_parameters=True)  # expect: TL126


class ParameterUnused(nn.Module):
    def __init__(self):
        super().__init__()
        self.start = nn.Parameter(torch.zeros(4))
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(x)


def wraps_parameter_unused(rank):
    return DDP(ParameterUnused().to(rank), device_ids=[rank], find_unused_parameters=True)


class HandedOver(nn.Module):
    def __init__(self, head):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.head = head

    def forward(self, x):
        return self.head(self.layer(x))


def wraps_handed_over(rank, head):
    return DDP(HandedOver(head).to(rank), device_ids=[rank], find_unused_parameters=True)


class InSomeModels(nn.Module):
    def __init__(self, deep):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        if deep:
            self.more = nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(x)


def wraps_in_some_models(rank, deep):
    return DDP(InSomeModels(deep).to(rank), device_ids=[rank], find_unused_parameters=True)


class BareInSomeModels(nn.Module):
    def __init__(self, deep):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        if deep:
            self.more = nn.ReLU()

    def forward(self, x):
        return self.layer(x)


def wraps_bare_in_some_models(rank, deep):
    return DDP(BareInSomeModels(deep).to(rank), device_ids=[rank], find_unused_parameters=True)  # expect: TL126


class ByHand(nn.Module):
    def __init__(self):
        super().__init__()
        self.add_module("layer", nn.Linear(4, 4))
        self.other = nn.Linear(4, 4)

    def forward(self, x):
        return self.other(x)


def wraps_by_hand(rank):
    return DDP(ByHand().to(rank), device_ids=[rank], find_unused_parameters=True)


class InAMethod(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.head = nn.Linear(4, 4)

    def forward(self, x):
        return self.finish(self.layer(x))

    def finish(self, x):
        return self.head(x)


def wraps_in_a_method(rank):
    return DDP(InAMethod().to(rank), device_ids=[rank], find_unused_parameters=True)  # expect: TL126


class NoForward(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def run(self, x):
        return self.layer(x)


def wraps_no_forward(rank):
    return DDP(NoForward().to(rank), device_ids=[rank], find_unused_parameters=True)


class Nested(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Plain()
        self.head = nn.Linear(4, 4)

    def forward(self, x):
        return self.head(self.inner(x))


def wraps_nested(rank):
    return DDP(Nested().to(rank), device_ids=[rank], find_unused_parameters=True)  # expect: TL126


class NestedSpare(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Spare()
        self.head = nn.Linear(4, 4)

    def forward(self, x):
        return self.head(self.inner(x))


def wraps_nested_spare(rank):
    return DDP(NestedSpare().to(rank), device_ids=[rank], find_unused_parameters=True)


class UnknownLayer(nn.Module):
    def __init__(self, other):
        super().__init__()
        self.inner = other.Layer()
        self.head = nn.Linear(4, 4)

    def forward(self, x):
        return self.head(self.inner(x))


def wraps_unknown_layer(rank, other):
    return DDP(UnknownLayer(other).to(rank), device_ids=[rank], find_unused_parameters=True)
