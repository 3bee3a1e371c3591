"""Models, for whoever wants one."""

import torch
from torch import nn


def build(args):
    return torch.nn.DataParallel(nn.Linear(args.width, args.classes))  # expect: TL116


def restored(args):
    model = nn.DataParallel(nn.Linear(args.width, args.classes))
    model.load_state_dict(torch.load(args.path, weights_only=True))
    return model
