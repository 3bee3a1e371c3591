"""Memory that is freed at the end of something, or behind a failure."""

import gc

import torch


def train_epoch(model, optimizer, loader):
    for x in loader:
        optimizer.zero_grad()
        model(x.cuda()).backward()
        optimizer.step()


def each_epoch(model, optimizer, loader, epochs):
    for _ in range(epochs):
        train_epoch(model, optimizer, loader)
        gc.collect()
        torch.cuda.empty_cache()


def folds(make, loaders):
    for fold, loader in loaders:
        model, optimizer = make(fold)
        for x in loader:
            optimizer.zero_grad()
            model(x.cuda()).backward()
            optimizer.step()
        del model, optimizer
        torch.cuda.empty_cache()


def after_failure(model, optimizer, loader):
    for x in loader:
        try:
            optimizer.zero_grad()
            model(x.cuda()).backward()
            optimizer.step()
        except RuntimeError as error:
            if "out of memory" not in str(error):
                raise
            torch.cuda.empty_cache()


def every_so_often(model, optimizer, loader, args):
    for i, x in enumerate(loader):
        optimizer.zero_grad()
        model(x.cuda()).backward()
        optimizer.step()
        if args.empty_cache_freq > 0 and i % args.empty_cache_freq == 0:
            torch.cuda.empty_cache()


def images(model, paths, read):
    for path in paths:
        with torch.no_grad():
            model(read(path).cuda())
        torch.cuda.empty_cache()


def collect(names, sink):
    for name in names:
        sink.collect()


def in_the_first_round(model, optimizer, loader, rank):
    for i, x in enumerate(loader):
        optimizer.zero_grad()
        model(x.cuda()).backward()
        optimizer.step()
        if rank == 0:
            if i < 1:
                torch.cuda.empty_cache()


def measured(model, optimizer, loader, device_module):
    for x in loader:
        optimizer.zero_grad()
        model(x.cuda()).backward()
        optimizer.step()
        print(device_module.memory_allocated())
        device_module.empty_cache()
        gc.collect()


def run(build, data):
    """One run of one model, of a few steps."""
    model = build()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer.zero_grad()
    model(data).backward()
    optimizer.step()


def one_model_after_the_other(builds, data):
    for build in builds:
        run(build, data)
        torch.cuda.empty_cache()
