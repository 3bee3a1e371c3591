"""A sigmoid before a loss that applies one: which loss, where the sigmoid stands, and what has a name."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn import BCEWithLogitsLoss
from torchvision.ops import sigmoid_focal_loss


def function(x, y, net):
    return F.binary_cross_entropy_with_logits(torch.sigmoid(net(x)), y)  # expect: TL421


def made_at_once(x, y, net):
    return BCEWithLogitsLoss()(net(x).sigmoid(), y)  # expect: TL421


def moved(x, y, net):
    return BCEWithLogitsLoss().cuda()(net(x).sigmoid(), y)  # expect: TL421


def focal(x, y, net):
    return sigmoid_focal_loss(net(x).sigmoid(), y)  # expect: TL421


def by_keyword(x, y, net):
    return F.binary_cross_entropy_with_logits(target=y, input=torch.sigmoid(net(x)))  # expect: TL421


def logits_have_a_name(x, y, net):
    logits = net(x)
    scores = torch.sigmoid(logits)
    print(scores.mean())
    return F.binary_cross_entropy_with_logits(scores, y)  # expect: TL421


def takes_probabilities(x, y, net):
    return F.mse_loss(torch.sigmoid(net(x)), y)


def sigmoid_of_the_target(x, y, net):
    return F.binary_cross_entropy_with_logits(net(x), torch.sigmoid(y))


def criterion_of_a_caller(x, y, net, criterion):
    return criterion(net(x).sigmoid(), y)  # expect: TL421


def gives_it(x, y, net):
    return criterion_of_a_caller(x, y, net, BCEWithLogitsLoss())


def either_of_two(x, y, net, soft):
    criterion = BCEWithLogitsLoss() if soft else nn.MSELoss()
    return criterion(net(x).sigmoid(), y)


def either_of_two_alike(x, y, net, soft):
    criterion = BCEWithLogitsLoss() if soft else nn.MultiLabelSoftMarginLoss()
    return criterion(net(x).sigmoid(), y)  # expect: TL421


class Weighted(BCEWithLogitsLoss):
    """The loss of the library under another name."""


class Shifted(BCEWithLogitsLoss):
    def forward(self, scores, targets):
        return super().forward(torch.logit(scores), targets)


class Plain(nn.Module):
    def weight(self):
        return 3


def judged(criterion, x, y, net):
    return criterion(net(x).sigmoid(), y)  # expect: TL421


def by_a_class_below(x, y, net):
    return judged(Weighted(), x, y, net)


def judged_itself(criterion, x, y, net):
    return criterion(net(x).sigmoid(), y)


def by_a_class_that_does_it_itself(x, y, net):
    return judged_itself(Shifted(), x, y, net)


def judged_by_nothing(criterion, x, y, net):
    return criterion(net(x).sigmoid(), y)


def by_a_class_of_nothing(x, y, net):
    return judged_by_nothing(Plain(), x, y, net)


def judged_by_a_function(criterion, x, y, net):
    return criterion(net(x).sigmoid(), y)  # expect: TL421


def by_a_function(x, y, net):
    return judged_by_a_function(F.binary_cross_entropy_with_logits, x, y, net)


def judged_by_what_makes_one(criterion, x, y, net):
    return criterion(net(x).sigmoid(), y)


def by_what_makes_one(x, y, net):
    return judged_by_what_makes_one(BCEWithLogitsLoss, x, y, net)


def layer_here(x, y, net):
    gate = nn.Sigmoid()
    return F.binary_cross_entropy_with_logits(gate(net(x)), y)  # expect: TL421


def layer_in_a_model(x, y):
    model = nn.Sequential(nn.Linear(3, 1), nn.Sigmoid())  # expect: TL421
    return F.binary_cross_entropy_with_logits(model(x), y)


def helper(logits):
    return torch.sigmoid(logits)  # expect: TL421


def in_a_helper(x, y, net):
    return F.binary_cross_entropy_with_logits(helper(net(x)), y)


def in_a_helper_again(x, y, net):
    return F.binary_cross_entropy_with_logits(helper(net(x)), y)
