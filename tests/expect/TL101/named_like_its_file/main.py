"""Who imports `train` from the package gets the function, not the file."""

import engine
import torch.distributed as dist
from engine import evaluate, tools, train


def by_name(model):
    if dist.get_rank() == 0:
        train(model)  # expect: TL101


def by_package(model):
    if dist.get_rank() == 0:
        engine.train(model)  # expect: TL101


def by_file(model):
    if dist.get_rank() == 0:
        tools.tools(model)  # expect: TL101


def nothing_to_wait_for(model):
    if dist.get_rank() == 0:
        evaluate(model)
        tools.count(model)


def everybody(model):
    train(model)
    if dist.get_rank() == 0:
        print(evaluate(model))
