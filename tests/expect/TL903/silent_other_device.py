"""For another kind of device only (huggingface/peft)."""

import torch


def run(case, model, device):
    if device == "xpu":
        torch.use_deterministic_algorithms(True)
    else:
        model.cuda()
    return case(model)
