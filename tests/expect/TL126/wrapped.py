"""DDP by other names, and a class that is derived from nothing of it."""

import torch
import torch.nn as nn
from torch.nn import parallel


def main(args, build):
    model = build(args).cuda(args.gpu)
    if args.distributed:
        model = nn.SyncBatchNorm.convert_sync_batchnorm(model)
        model = parallel.DistributedDataParallel(  # expect: TL126
            model, device_ids=[args.gpu], find_unused_parameters=True
        )
    return model


def several(generator, critic, rank):
    wrap = nn.parallel.DistributedDataParallel
    generator = wrap(generator, device_ids=[rank], find_unused_parameters=True)  # expect: TL126
    critic = wrap(critic, device_ids=[rank])
    return torch.nn.ModuleList([generator, critic])
