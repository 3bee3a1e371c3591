"""Two switches meet only where one run comes to both."""

from torch.backends import cudnn


def one_or_the_other(fast):
    if fast:
        cudnn.benchmark = True
    else:
        cudnn.deterministic = True


def by_the_opposite(fast):
    if not fast:
        cudnn.deterministic = True
    if fast:
        cudnn.benchmark = True


def left(fast):
    if fast:
        cudnn.benchmark = True
        return
    cudnn.deterministic = True


def both(fast):
    if fast:
        cudnn.deterministic = True
        cudnn.benchmark = True  # expect: TL803
