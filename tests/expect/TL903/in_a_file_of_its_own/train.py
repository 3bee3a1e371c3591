import torch
from seeds import set_seed


def main(args):
    set_seed(args.seed, deterministic=True)
    return torch.nn.Linear(8, 2).cuda()
