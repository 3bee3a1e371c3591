"""One of the two, as somebody chooses."""

import torch
from torch.backends import cudnn


def by_flag(args):
    if args.deterministic:
        cudnn.benchmark = False
        cudnn.deterministic = True
        torch.manual_seed(args.local_rank)
    else:
        cudnn.benchmark = True


def one_returns(seed, fast):
    if seed is None:
        cudnn.benchmark = True
        return
    cudnn.deterministic = True
    torch.manual_seed(seed)
    cudnn.benchmark = fast


def seed_first(seed):
    cudnn.deterministic = True
    torch.manual_seed(seed)


def not_called_here():
    cudnn.benchmark = True


def off_again(args):
    seed_first(args.seed)
    cudnn.deterministic = False
    cudnn.benchmark = True
