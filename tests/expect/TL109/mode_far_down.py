"""Parts of unequal size, and a collective far down in what the loop calls, in a mode of which nobody says that it holds here."""

import torch.distributed as dist

_GROUPS = None


def groups():
    return _GROUPS


def set_groups(made):
    global _GROUPS
    _GROUPS = made


def weighted(loss):
    if groups() is not None:
        dist.all_reduce(loss)
    return loss


def score(item):
    return weighted(item.sum())


def answer(model, item):
    return score(model(item))


def evaluate(model, questions):
    rank, world = dist.get_rank(), dist.get_world_size()
    answers = []
    for question in questions[rank::world]:
        answers.append(answer(model, question))
    return answers


def evaluate_together(model, questions):
    rank, world = dist.get_rank(), dist.get_world_size()
    for question in questions[rank::world]:  # expect: TL109
        dist.all_reduce(model(question))
