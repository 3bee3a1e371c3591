import torch


def prepare(options):
    torch.manual_seed(options["number"])
