"""Whether everything must fit is said by the caller."""

import torch


def put_into(model, path, strict):
    state = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(state, strict=strict)  # expect: TL611


def put_into_all(model, path, strict=True):
    state = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(state, strict=strict)


def fine_tune(model, path):
    put_into(model, path, strict=False)
    put_into_all(model, path)
    return model
