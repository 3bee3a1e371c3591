# Modelled on: pytorch/torchtitan (a version that no longer looks for the variable).
import torch


def main():
    torch.use_deterministic_algorithms(True)
    return torch.nn.Linear(8, 2).cuda()
