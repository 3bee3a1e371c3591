import torch
from torch import nn
from torch.optim import SGD, lr_scheduler


def train_epoch(epoch, loader, model, criterion, optimizer, device):
    model.train()
    for x, y in loader:
        loss = criterion(model(x.to(device)), y.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def get_utils(opt, parameters):
    optimizer = SGD(parameters, lr=opt.lr)
    assert opt.sched in ["plateau", "multistep"]
    if opt.sched == "plateau":
        scheduler = lr_scheduler.ReduceLROnPlateau(optimizer, "min", patience=opt.patience)
    else:
        scheduler = lr_scheduler.MultiStepLR(optimizer, opt.milestones)
    return optimizer, scheduler


def main(opt, model, loader, criterion):
    optimizer, scheduler = get_utils(opt, model.parameters())
    for i in range(opt.begin, opt.n_epochs + 1):
        if not opt.no_train:
            if opt.sched == "multistep":
                scheduler.step()  # expect: TL703
            train_epoch(i, loader, model, criterion, optimizer, opt.device)


def without_a_test(opt, model, loader, criterion):
    optimizer, scheduler = get_utils(opt, model.parameters())
    for i in range(opt.n_epochs):
        scheduler.step()  # expect: TL703
        train_epoch(i, loader, model, criterion, optimizer, opt.device)


def behind(opt, model, loader, criterion):
    optimizer, scheduler = get_utils(opt, model.parameters())
    for i in range(opt.n_epochs):
        train_epoch(i, loader, model, criterion, optimizer, opt.device)
        if opt.sched == "multistep":
            scheduler.step()


def by_a_metric(opt, model, loader, criterion, validate):
    optimizer, scheduler = get_utils(opt, model.parameters())
    for i in range(opt.n_epochs):
        if opt.sched == "plateau":
            scheduler.step(validate(model))
        train_epoch(i, loader, model, criterion, optimizer, opt.device)


def not_in_the_first(opt, model, loader, criterion):
    optimizer, scheduler = get_utils(opt, model.parameters())
    for i in range(opt.n_epochs):
        if i > 0:
            scheduler.step()
        train_epoch(i, loader, model, criterion, optimizer, opt.device)
