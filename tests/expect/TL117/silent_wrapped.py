"""The wrapper is called, or what is inside is not trained."""

import torch
from torch.nn.parallel import DistributedDataParallel as DDP


def saved_inside(args, make, criterion, loader):
    model = make(args).cuda()
    model_without_ddp = model
    if args.distributed:
        model = DDP(model, device_ids=[args.gpu])
        model_without_ddp = model.module
    optimizer = torch.optim.SGD(model_without_ddp.parameters(), lr=args.lr)
    for samples, targets in loader:
        loss = criterion(model(samples), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    torch.save(model_without_ddp.state_dict(), args.output)


def teacher(student, teacher, loader, optimizer, rank):
    student, teacher = DDP(student.to(rank)), DDP(teacher.to(rank))
    for x in loader:
        with torch.no_grad():
            goal = teacher.module(x)
        optimizer.zero_grad()
        (student(x) - goal).pow(2).mean().backward()
        optimizer.step()


def only_asked(model, loader, optimizer, rank):
    model = DDP(model.to(rank))
    for x in loader:
        optimizer.zero_grad()
        loss = model(x).mean() + 1e-4 * model.module.regularization()
        loss.backward()
        optimizer.step()


def alone(model, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()


def generated(model, tokens, rank):
    model = DDP(model.to(rank))
    return model.module.generate(tokens)


def tried_alone_first(net):
    net(torch.zeros(2, 4)).sum().backward()
    net.zero_grad()
    return DDP(net)
