import deepspeed
import torch


def make_head(rows, columns):
    head = torch.nn.Linear(rows, columns)
    with deepspeed.zero.GatheredParameters(head.weight, modifier_rank=0):
        torch.nn.init.normal_(head.weight)
    return head
