"""Functions that go over the keys of some other dict than the state."""
# Modelled on NVIDIA/DeepLearningExamples (BERT), facebookresearch/fairseq.

import torch


def other_keys(model, path, options):
    model.load_state_dict(torch.load(path, map_location="cpu")["model"], strict=False)  # expect-likely: TL611
    for name, value in options.items():
        print(name, value)


def one_case_or_the_other(model, path):
    checkpoint = torch.load(path, map_location="cpu")
    state = checkpoint["model"] if "model" in checkpoint.keys() else checkpoint
    model.load_state_dict(state, strict=False)  # expect: TL611


def of_the_model(model, path):
    state = torch.load(path, map_location="cpu")
    for name in model.state_dict().keys():
        print(name, name in state)
    model.load_state_dict(state, strict=False)


def of_the_whole(model, path):
    checkpoint = torch.load(path, map_location="cpu")
    for name in checkpoint.keys():
        print(name)
    model.load_state_dict(checkpoint["model"], strict=False)
