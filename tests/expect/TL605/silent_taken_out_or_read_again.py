"""States that are taken out of the wrapper where there is one, or read into what is wrapped in the same way."""
# Modelled on NVIDIA/DeepLearningExamples, thunlp's P-tuning-v2 and pytorch/examples.

import torch
from torch import nn


def inner(model):
    return model.module if hasattr(model, "module") else model


def taken_out(args, model):
    if torch.cuda.device_count() > 1:
        model = nn.DataParallel(model)
    to_save = model.module if hasattr(model, "module") else model
    torch.save(to_save.state_dict(), args.path)
    torch.save(inner(model).state_dict(), args.other)
