"""As in dino (two models), yolov5 (a helper), SlowFast (a built model), semseg and speechbrain (modules of a dict)."""

import torch
from torch import nn
from torch.nn import SyncBatchNorm
from torch.nn.parallel import DistributedDataParallel as DDP


def self_distillation(student, teacher, args):
    if any(isinstance(each, nn.BatchNorm2d) for each in student.modules()):
        student = SyncBatchNorm.convert_sync_batchnorm(student)
        teacher = SyncBatchNorm.convert_sync_batchnorm(teacher)
        teacher = DDP(teacher, device_ids=[args.gpu])
    student = DDP(student, device_ids=[args.gpu])
    return student, teacher


def smart_ddp(model, args):
    return DDP(model, device_ids=[args.local_rank], output_device=args.local_rank)


def train(make, args, device):
    model = make(args).to(device)
    if args.sync_bn and args.rank != -1:
        model = SyncBatchNorm.convert_sync_batchnorm(model).to(device)
    if args.rank != -1:
        model = smart_ddp(model, args)
    return model


def modules(named, args):
    for name, module in named.items():
        if args.sync_bn:
            module = SyncBatchNorm.convert_sync_batchnorm(module)
        module = DDP(module, device_ids=[args.gpu])
        named[name] = module
    return named


def critic_later(make, args):
    net, critic = DDP(make(args)), make(args)
    critic = torch.nn.SyncBatchNorm.convert_sync_batchnorm(critic)
    return net, DDP(critic)
