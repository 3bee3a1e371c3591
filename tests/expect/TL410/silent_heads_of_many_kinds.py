"""Softmax in attention, of what is drawn from, of a teacher, in another branch of the losses, when it is used; cosine scores."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.distributions import Categorical


class Reader(nn.Module):
    """The weights of attention, and what is read with them."""

    def __init__(self, width, words):
        super().__init__()
        self.key, self.out = nn.Linear(width, width), nn.Linear(width, words)

    def forward(self, query, memory):
        weights = F.softmax(self.key(memory) @ query.unsqueeze(-1), dim=1)
        return self.out((weights * memory).sum(1)), weights


def read(query, memory, words):
    scores, weights = Reader(8, 100)(query, memory)
    return F.cross_entropy(scores, words) + 0.01 * weights.pow(2).sum()


def played(policy, value, observation, returns):
    probabilities = F.softmax(policy(observation), dim=-1)
    drawn = Categorical(probabilities)
    action = drawn.sample()
    return -(drawn.log_prob(action) * (returns - value(observation).detach())).mean()


def distilled(student, teacher, x, y, temperature=4.0):
    logits = student(x)
    with torch.no_grad():
        wanted = F.softmax(teacher(x) / temperature, dim=1)
    soft = F.kl_div(F.log_softmax(logits / temperature, dim=1), wanted, reduction="batchmean")
    return F.cross_entropy(logits, y) + temperature**2 * soft


def pseudo_labels(model, weak, strong, threshold=0.95):
    with torch.no_grad():
        certain, labels = model(weak).softmax(dim=-1).max(dim=-1)
    return (F.cross_entropy(model(strong), labels, reduction="none") * (certain >= threshold)).mean()


def pairs(image_net, text_net, images, texts, scale):
    left, right = F.normalize(image_net(images), dim=-1), F.normalize(text_net(texts), dim=-1)
    scores = scale * left @ right.t()
    wanted = torch.arange(len(scores))
    return (F.cross_entropy(scores, wanted) + F.cross_entropy(scores.t(), wanted)) / 2


class Either(nn.Module):
    """Training takes what `logits` gives; `forward` is for those who use the network."""

    def __init__(self, width, classes):
        super().__init__()
        self.out = nn.Linear(width, classes)

    def logits(self, x):
        return self.out(x)

    def forward(self, x):
        return self.logits(x).softmax(-1)


def either(x, y):
    net = Either(8, 3)
    return nn.CrossEntropyLoss()(net.logits(x), y)


class Answers(nn.Module):
    """Each output has its own loss: the probabilities go to the one that takes them."""

    def __init__(self, width):
        super().__init__()
        self.kind, self.parts = nn.Linear(width, 5), nn.Linear(width, 3)

    def forward(self, x):
        return {"kind": self.kind(x), "parts": F.softmax(self.parts(x), dim=-1)}


def answered(x, kind, parts):
    out = Answers(8)(x)
    return F.cross_entropy(out["kind"], kind) + F.mse_loss(out["parts"], parts)
