"""One call of the function comes first: the other sets it again."""

import os

import torch


def show_only(gpu):
    os.environ["CUDA_VISIBLE_DEVICES"] = str(gpu)


def pick(model, gpu):
    show_only(gpu)
    model = model.cuda()
    return torch.compile(model)


def pick_again(model, gpu):
    model = pick(model, gpu).cuda()
    show_only(gpu)
    return model
