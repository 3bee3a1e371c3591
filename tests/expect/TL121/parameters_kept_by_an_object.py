"""An object that was given the parameters clips them."""

import torch
import torch.distributed as dist
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.nn.utils import clip_grad_norm_


class GradClip:
    def __init__(self, max_norm, params):
        self.max_norm = max_norm
        self.params = list(params)

    def __call__(self):
        return clip_grad_norm_(self.params, self.max_norm)  # expect: TL121


def build(cfg):
    model = torch.nn.Linear(4, 4).cuda()
    model = FSDP(model)
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
    clip = GradClip(cfg.clip, model.parameters())
    return model, opt, clip


def train(cfg, loader):
    dist.init_process_group("nccl")
    model, opt, clip = build(cfg)
    for x in loader:
        opt.zero_grad()
        model(x).sum().backward()
        clip()
        opt.step()
