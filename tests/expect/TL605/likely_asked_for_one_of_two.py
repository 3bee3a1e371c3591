"""A model that is in one of two wrappers, and a test that asks for one of them only; none where the same test wraps it."""

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def unwrap(model):
    return model.module if isinstance(model, DDP) else model


def wrap(args, model):
    if args.distributed:
        model = DDP(model, device_ids=[args.gpu])
    elif torch.cuda.device_count() > 1:
        model = nn.DataParallel(model)
    return model


def by_helper(args, model):
    model = wrap(args, model)
    torch.save(unwrap(model).state_dict(), args.out)  # expect-likely: TL605


class Trainer:
    def __init__(self, model, distributed):
        self.model = DDP(model) if distributed else nn.DataParallel(model)

    def save(self, path):
        if isinstance(self.model, nn.DataParallel):
            state = self.model.module.state_dict()
        else:
            state = self.model.state_dict()  # expect-likely: TL605
        torch.save({"model": state}, path)


def build(n_gpus):
    model = nn.Linear(2, 2)
    if n_gpus > 1:
        model = DDP(model).cuda()
    return model


def run(model, path, n_gpus):
    if n_gpus > 1:
        torch.save(model.module.state_dict(), path)
    else:
        torch.save(model.state_dict(), path)


def built_and_run_under_the_same_test(config):
    model = build(config["n_gpus"])
    run(model=model.train(), path=config["path"], n_gpus=config["n_gpus"])
