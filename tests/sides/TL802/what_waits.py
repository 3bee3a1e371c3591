"""What runs between two readings of the clock: something that makes the program wait for the GPU, or nothing of that kind."""

import time

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        return self.layer(x).relu()


class Watched(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, x):
        x = self.layer(x)
        print("mean", x.mean().item())
        return x


def of_a_class():
    net = Net().to("cuda").eval()
    x = torch.randn(4, 8, device="cuda")
    start = time.time()
    net(x)
    return time.time() - start  # expect: TL802


def of_a_class_that_waits():
    net = Watched().to("cuda").eval()
    x = torch.randn(4, 8, device="cuda")
    start = time.time()
    net(x)
    return time.time() - start


def forward_by_its_name(model, x):
    model.cuda()
    start = time.time()
    model.forward(x)
    return time.time() - start  # expect: TL802


def length_of_the_output(model, x):
    model.cuda()
    start = time.time()
    out = model(x)
    print(len(out))
    return time.time() - start  # expect: TL802


def number_of_the_output(model, x):
    model.cuda()
    start = time.time()
    out = model(x)
    print(float(out))
    return time.time() - start


def printed_output(model, x):
    model.cuda()
    start = time.time()
    out = model(x)
    print(out)
    return time.time() - start


def printed_text(model, x, name):
    model.cuda()
    start = time.time()
    model(x)
    print("done with " + "the model")
    return time.time() - start  # expect: TL802


def printed_output_in_a_text(model, x):
    model.cuda()
    start = time.time()
    out = model(x)
    print(f"the output is {out}")
    return time.time() - start


def fetched(model, x):
    model.cuda()
    start = time.time()
    model(x).to("cpu")
    return time.time() - start


def fetched_by_keyword(model, x):
    model.cuda()
    start = time.time()
    model(x).to(device="cpu")
    return time.time() - start


def converted(model, x):
    model.cuda()
    start = time.time()
    model(x.to("cuda", non_blocking=True))
    return time.time() - start  # expect: TL802


def waits_for_the_copy_before(model, x):
    model.cuda()
    start = time.time()
    model(x.to("cuda"))
    return time.time() - start  # expect: TL802


def step_of_a_schedule(model, optimizer, scheduler, x):
    model.cuda()
    start = time.time()
    model(x).mean().backward()
    optimizer.step()
    scheduler.step()
    return time.time() - start  # expect: TL802


def step_of_a_scaler(model, optimizer, x):
    model.cuda()
    scaler = torch.amp.GradScaler("cuda")
    start = time.time()
    scaler.scale(model(x).mean()).backward()
    scaler.step(optimizer)
    return time.time() - start


def schedule_of_torch(model, x):
    model.cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
    start = time.time()
    model(x).mean().backward()
    optimizer.step()
    scheduler.step()
    return time.time() - start  # expect: TL802


def loss_of_a_library(model, x, y):
    model.cuda()
    start = time.time()
    nn.functional.cross_entropy(model(x), y).backward()
    return time.time() - start  # expect: TL802


def handed_to_others(model, x, report):
    model.cuda()
    start = time.time()
    report(model(x))
    return time.time() - start


def others_get_the_name(model, x, report, name):
    model.cuda()
    start = time.time()
    model(x)
    report(name)
    return time.time() - start  # expect: TL802


def others_get_the_model(model, x, report):
    model.cuda()
    start = time.time()
    model(x)
    report(model)
    return time.time() - start


def may_wait(model, x, sync_all):
    """It is likely, and no more."""
    model.cuda()
    start = time.time()
    model(x)
    sync_all()
    return time.time() - start


def may_have_waited_before(model, x, sync_all):
    model.cuda()
    start = time.time()
    sync_all()
    model(x)
    return time.time() - start  # expect: TL802


def tested_output(model, x):
    model.cuda()
    start = time.time()
    out = model(x)
    if out > 0:
        print("positive")
    return time.time() - start


def output_that_is_none(model, x):
    model.cuda()
    start = time.time()
    out = model(x)
    if out is None:
        raise RuntimeError("no output")
    return time.time() - start  # expect: TL802


def output_that_is_not_none(model, x):
    model.cuda()
    start = time.time()
    out = model(x)
    if not out is not None:
        raise RuntimeError("no output")
    return time.time() - start  # expect: TL802


def compiled_parts(model, x):
    model.cuda()
    start = time.time()
    model.eval()(x)
    return time.time() - start  # expect: TL802
