"""Private names without a public one, public names, own ones: as in open-mmlab/mmcv, timm, pytorch/torchtitan."""

import torch
import torch.nn.functional as F
from torch._C import _nn
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import DTensor, Shard
from torch.nn.modules.utils import _pair
from torch.optim.lr_scheduler import _LRScheduler
from torch.utils.data import default_collate
from torch.utils.data.dataloader import default_convert

from mylib._tensor import Replicate


class Schedule(_LRScheduler):
    def get_lr(self):
        return self.base_lrs


def default(model, batch):
    fully_shard(model)
    return default_collate(batch), default_convert(batch), DTensor, Shard(0), Replicate(), _pair(3), F.gelu, _nn, torch._C
