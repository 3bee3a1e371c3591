import deepspeed
import torch


def save_adapter(model, names, path):
    """The trained part of a model whose parameters ZeRO-3 has taken apart."""
    wanted = [p for n, p in model.named_parameters() if n in names]
    with deepspeed.zero.GatheredParameters(wanted):
        torch.save({n: p.cpu() for n, p in zip(names, wanted)}, path)
