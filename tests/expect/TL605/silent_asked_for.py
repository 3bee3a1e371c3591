"""A test asks for the wrapper that there is: its class, both classes, its attribute, or what it was wrapped for."""

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def unwrap(model):
    if isinstance(model, (DDP, nn.DataParallel)):
        return model.module
    return model


def either(args, model):
    if args.distributed:
        model = DDP(model, device_ids=[args.gpu])
    elif torch.cuda.device_count() > 1:
        model = nn.DataParallel(model)
    torch.save(unwrap(model).state_dict(), args.out)


def in_place(args, model):
    if args.distributed:
        model = DDP(model, device_ids=[args.gpu])
    torch.save(model.module.state_dict() if isinstance(model, DDP) else model.state_dict(), args.out)


def by_attribute(args, model):
    if args.distributed:
        model = DDP(model, device_ids=[args.gpu])
    elif torch.cuda.device_count() > 1:
        model = nn.DataParallel(model)
    torch.save(model.module.state_dict() if hasattr(model, "module") else model.state_dict(), args.out)


def by_the_same_test(args, model, loader):
    if args.distributed:
        model = DDP(model, device_ids=[args.gpu])
    for batch in loader:
        model(batch).mean().backward()
    if args.distributed:
        state = model.module.state_dict()
    else:
        state = model.state_dict()
    torch.save(state, args.out)


def train(args, generator, loader):
    if args.distributed:
        inner = generator.module
    else:
        inner = generator
    for batch in loader:
        generator(batch).mean().backward()
    torch.save(inner.state_dict(), args.out)


def main(args, generator, loader):
    if args.distributed:
        generator = DDP(generator, device_ids=[args.gpu])
    train(args, generator, loader)
