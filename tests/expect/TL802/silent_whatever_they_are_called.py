"""What waits, whatever it is called; and who runs only where there is no GPU."""

import time

import torch
import torch.distributed as dist


def quietly(x):
    return x.cpu()


def done():
    torch.cuda.synchronize()


def one(model, x):
    model.cuda()
    start = time.time()
    y = model(x)
    done()
    return time.time() - start, y


def two(model, x):
    model.cuda()
    start = time.time()
    y = quietly(model(x))
    return time.time() - start, y


def three(model, x, show):
    model.cuda()
    start = time.time()
    y = model(x)
    show(y)
    return time.time() - start


def four(model, x):
    model.cuda()
    start = time.time()
    model(x)
    dist.barrier()
    return time.time() - start


def five(model, x, accelerator):
    model.cuda()
    start = time.time()
    model(x)
    accelerator.wait_for_everyone()
    return time.time() - start


def throughput(model, x, device):
    start = time.time()
    model(x)
    return time.time() - start


def main(model, x, device):
    if device == "cpu":
        print(throughput(model, x, device))
    else:
        print(done())
