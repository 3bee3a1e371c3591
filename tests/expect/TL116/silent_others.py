"""As in open-mmlab/mmcv, speechbrain, huggingface/pytorch-image-models, NVIDIA/apex, facebookresearch/fairseq, pytorch/xla."""

import apex.parallel
import torch
import torch.nn as nn
import torch_xla.distributed.data_parallel as dp
from torch.nn.parallel import DataParallel, DistributedDataParallel

WRAPPERS = (nn.DataParallel, DistributedDataParallel)


class MMDataParallel(DataParallel):
    """Puts the input of a CPU into a list, too."""

    def forward(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)


def is_wrapped(model):
    return (
        isinstance(model, WRAPPERS) or type(model) in (nn.DataParallel, DataParallel) or issubclass(type(model), nn.DataParallel)
    )


class Brain:
    def __init__(self, modules, distributed, data_parallel):
        self.modules, self.distributed, self.data_parallel = modules, distributed, data_parallel

    def _wrap(self):
        if self.distributed:
            self.modules = DistributedDataParallel(self.modules)
        elif self.data_parallel:
            self._replicate()

    def _replicate(self):
        self.modules = nn.DataParallel(self.modules)

    def fit(self, loader, optimizer):
        for x in loader:
            optimizer.zero_grad()
            self.modules(x).sum().backward()
            optimizer.step()


def chosen(model, distributed):
    return (DistributedDataParallel if distributed else nn.DataParallel)(model)


def one(model, gpu):
    return nn.DataParallel(model, device_ids=[gpu]), nn.DataParallel(model, (0,))


def others(model, devices, DataParallel):
    return apex.parallel.DistributedDataParallel(model), dp.DataParallel(model, device_ids=devices), DataParallel(model)


def older(model):
    if torch.__version__ < "1.0":
        return nn.DataParallel(model)
    return DistributedDataParallel(model)
