"""A softmax before a cross entropy: by which names, containers and wrappers it gets there."""

from collections import OrderedDict

import torch
import torch.nn as nn
import torch.nn.functional as F


def direct(x, y, net):
    return F.cross_entropy(F.softmax(net(x), dim=1), y)  # expect: TL410


def by_keywords(x, y, net):
    return F.cross_entropy(target=y, input=F.softmax(input=net(x), dim=1))  # expect: TL410


def method(x, y, net):
    return F.cross_entropy(net(x).softmax(-1), y)  # expect: TL410


def logarithm_of_it(x, y, net):
    return F.cross_entropy(net(x).log_softmax(-1), y)


def scaled_by_a_temperature(x, y, net):
    return F.cross_entropy(net(x).softmax(-1) * 10, y)


def other_shape(x, y, net):
    return F.cross_entropy(F.softmax(net(x), dim=1).view(-1, 10).float(), y)  # expect: TL410


def some_rows(x, y, net):
    probabilities = F.softmax(net(x), dim=1)
    return F.cross_entropy(probabilities[y > 0], y[y > 0])  # expect: TL410


def first_of_two(x, y, net):
    probabilities, features = F.softmax(net(x), dim=1), net.features(x)
    pair = (probabilities, features)
    return F.cross_entropy(pair[0], y)  # expect: TL410


def second_of_two(x, y, net):
    pair = (F.softmax(net(x), dim=1), net(x))
    return F.cross_entropy(pair[1], y)


def by_a_key(x, y, net):
    output = {"probabilities": F.softmax(net(x), dim=1), "logits": net(x)}
    return F.cross_entropy(output["probabilities"], y)  # expect: TL410


def by_the_other_key(x, y, net):
    output = {"probabilities": F.softmax(net(x), dim=1), "logits": net(x)}
    return F.cross_entropy(output["logits"], y)


def by_a_key_of_the_caller(x, y, net, key):
    output = {"probabilities": F.softmax(net(x), dim=1), "logits": net(x)}
    return F.cross_entropy(output[key], y)


def perhaps(x, y, net, normalized):
    scores = F.softmax(net(x), dim=1) if normalized else net(x)
    return F.cross_entropy(scores, y)


def in_any_case(x, y, net, columns):
    scores = F.softmax(net(x), dim=1) if columns else torch.softmax(net(x), dim=0)
    return F.cross_entropy(scores, y)  # expect: TL410


def unless_it_is_there(x, y, net):
    scores = None
    if x is not None:
        scores = F.softmax(net(x), dim=1)
    return F.cross_entropy(scores, y)  # expect: TL410


def both(x, net):
    logits = net(x)
    return logits, F.softmax(logits, dim=1)  # expect: TL410


def takes_the_first(x, y, net):
    return F.cross_entropy(both(x, net)[0], y)


def takes_the_second(x, y, net):
    return F.cross_entropy(both(x, net)[1], y)


def unpacks_them(x, y, net):
    logits, probabilities = both(x, net)
    return F.cross_entropy(probabilities, y) + F.cross_entropy(logits, y)


def several(xs, net):
    for x in xs:
        yield F.softmax(net(x), dim=1)


def from_a_generator(xs, y, net):
    return F.cross_entropy(several(xs, net), y)


def again(x, net, times):
    if times:
        return again(net(x), net, times - 1)
    return F.softmax(net(x), dim=1)


def from_a_recursion(x, y, net):
    return F.cross_entropy(again(x, net, 3), y)


def nothing_comes_back(x, net):
    F.softmax(net(x), dim=1)


def from_nothing(x, y, net):
    return F.cross_entropy(nothing_comes_back(x, net), y)


class Kept:
    def __init__(self, net):
        self.net = net
        self.scores = None

    def forward(self, x):
        self.scores = F.softmax(self.net(x), dim=1)  # expect: TL410

    def loss(self, x, y):
        self.forward(x)
        return F.cross_entropy(self.scores, y)


class Calls(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def __call__(self, x):
        return self.net(x).softmax(1)  # expect: TL410

    def forward(self, x):
        return self.net(x)


def of_an_object_that_is_called(x, y, net):
    return F.cross_entropy(Calls(net)(x), y)


def moved_layer(x, y, net, device):
    layer = nn.Softmax(dim=1).to(device)
    return F.cross_entropy(layer(net(x)), y)  # expect: TL410


def compiled_layer(x, y, net):
    layer = torch.compile(nn.Softmax(dim=1))
    return F.cross_entropy(layer(net(x)), y)  # expect: TL410


def wrapped_layer(x, y):
    model = nn.DataParallel(nn.Sequential(nn.Linear(4, 3), nn.Softmax(dim=1)))  # expect: TL410
    return F.cross_entropy(model(x), y)


def named_layers(x, y):
    model = nn.Sequential(OrderedDict([("out", nn.Linear(4, 3)), ("last", nn.Softmax(dim=1))]))  # expect: TL410
    return F.cross_entropy(model(x), y)


def named_layers_in_a_dict(x, y):
    model = nn.Sequential(OrderedDict({"out": nn.Linear(4, 3), "last": nn.Softmax(dim=1)}))  # expect: TL410
    return F.cross_entropy(model(x), y)


def named_layers_without(x, y):
    model = nn.Sequential(OrderedDict([("weights", nn.Softmax(dim=1)), ("out", nn.Linear(4, 3))]))
    return F.cross_entropy(model(x), y)


def named_layers_of_the_caller(x, y, pairs):
    model = nn.Sequential(OrderedDict(pairs))
    return F.cross_entropy(model(x), y)


def last_of_all_only_reshapes(x, y):
    model = nn.Sequential(nn.Linear(4, 3), nn.Softmax(dim=1), nn.Flatten(), nn.Identity())  # expect: TL410
    return F.cross_entropy(model(x), y)


def nested(x, y):
    model = nn.Sequential(nn.Linear(4, 4), nn.Sequential(nn.Linear(4, 3), nn.Softmax(dim=1)))  # expect: TL410
    return F.cross_entropy(model(x), y)


def only_reshaping(x, y):
    model = nn.Sequential(nn.Flatten(), nn.Identity())
    return F.cross_entropy(model(x.softmax(1)), y)


def unpacked(x, y):
    layers = [nn.Linear(4, 3), nn.Softmax(dim=1)]  # expect: TL410
    model = nn.Sequential(*layers)
    return F.cross_entropy(model(x), y)


def unpacked_and_filled(x, y, depth):
    layers = []
    for _ in range(depth):
        layers.append(nn.Linear(4, 4))
    layers.append(nn.Softmax(dim=1))  # expect: TL410
    return F.cross_entropy(nn.Sequential(*layers)(x), y)


def unpacked_and_perhaps_filled(x, y, depth, probabilities):
    layers = []
    for _ in range(depth):
        layers.append(nn.Linear(4, 4))
    if probabilities:
        layers.append(nn.Softmax(dim=1))
    return F.cross_entropy(nn.Sequential(*layers)(x), y)


def unpacked_and_extended(x, y):
    layers = [nn.Linear(4, 4), nn.Softmax(dim=1)]
    layers.extend([nn.Linear(4, 3)])
    return F.cross_entropy(nn.Sequential(*layers)(x), y)


def unpacked_of_the_caller(x, y, layers):
    return F.cross_entropy(nn.Sequential(*layers)(x), y)


def prepared_by_accelerate(x, y, accelerator):
    model = accelerator.prepare(nn.Sequential(nn.Linear(4, 3), nn.Softmax(dim=1)))  # expect: TL410
    return F.cross_entropy(model(x), y)
