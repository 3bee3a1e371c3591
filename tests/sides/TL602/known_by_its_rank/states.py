import torch


def restore(optimizer, path, rank):
    optimizer.load_state_dict(torch.load(path, weights_only=True))  # expect: TL602
    print("restored on", rank)
