"""As in scripts after apex's example: the wrapper and the conversion in helpers and under one flag."""

import apex
import torch
from apex.parallel import DistributedDataParallel as ApexDDP


def wrap(model, args):
    if args.distributed:
        model = torch.nn.parallel.DistributedDataParallel(model, device_ids=[args.gpu])
    return model


def main(make, args):
    model = wrap(make(args).cuda(), args)
    if args.distributed and args.sync_bn:
        model = torch.nn.SyncBatchNorm.convert_sync_batchnorm(model)  # expect: TL123
    return model


def with_apex(make, args):
    model = ApexDDP(make(args).cuda(), delay_allreduce=True)
    if args.sync_bn:
        model = apex.parallel.convert_syncbn_model(model)  # expect: TL123
    return model
