"""A negative log likelihood of probabilities, and what can be put in the place of the softmax."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.functional import softmax


def function(x, y, net):
    F.nll_loss(F.softmax(net(x), dim=1), y).backward()  # expect: TL416


def imported(x, y, net):
    F.nll_loss(softmax(net(x), dim=1), y).backward()  # expect: TL416


def of_torch(x, y, net):
    F.nll_loss(torch.softmax(net(x), dim=1), y).backward()  # expect: TL416


def method(x, y, net):
    F.nll_loss(net(x).softmax(dim=1), y).backward()  # expect: TL416


def layer(x, y, net):
    normalize = nn.Softmax(dim=1)
    F.nll_loss(normalize(net(x)), y).backward()  # expect: TL416


def logarithms(x, y, net):
    F.nll_loss(F.log_softmax(net(x), dim=1), y).backward()


def logarithm_taken(x, y, net):
    F.nll_loss(torch.log(F.softmax(net(x), dim=1) + 1e-9), y).backward()  # expect: TL411


def sigmoids(x, y, net):
    F.nll_loss(torch.sigmoid(net(x)), y).backward()


def images(x, y):
    model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.Softmax2d())  # expect: TL416
    nn.NLLLoss()(model(x), y).backward()


def images_with_logarithms(x, y):
    model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.LogSoftmax(dim=1))
    nn.NLLLoss()(model(x), y).backward()
