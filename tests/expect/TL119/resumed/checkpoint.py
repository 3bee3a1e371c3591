"""As in LambdaLabs' guide before it took up dcp: a helper that loads what it is given, called behind the sharding."""

import torch
from safetensors.torch import load_file


def load_checkpoint(model, optimizer, path):
    saved = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(saved["model"], strict=False)  # expect: TL119
    return saved.get("step", 0)


def load_weights(model, path):
    weights = load_file(path)
    missing, unexpected = model.load_state_dict(weights, strict=False, assign=True)  # expect: TL119
    return missing, unexpected
