import torch


def restore(optimizer, path):
    optimizer.load_state_dict(torch.load(path, weights_only=True))
