"""Whether results are to repeat is a parameter, and nobody says otherwise."""

import torch


def seed_everything(seed, deterministic=True):
    torch.manual_seed(seed)
    torch.cuda.manual_seed_all(seed)
    torch.use_deterministic_algorithms(deterministic)  # expect: TL903


def seed_as_told(seed, deterministic=True):
    torch.manual_seed(seed)
    torch.cuda.manual_seed_all(seed)
    torch.use_deterministic_algorithms(deterministic)


def main(options):
    seed_everything(options.seed)
    seed_as_told(options.seed, options.deterministic)
    return torch.nn.Linear(8, 8).cuda()
