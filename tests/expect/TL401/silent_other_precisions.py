"""Not float16, not known to be, or not on."""

import contextlib

import torch
import torch.nn.functional as F
import torch_xla
from torch_xla.amp import autocast as xla_autocast


def bfloat16(model, optimizer, loader):
    for x, y in loader:
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def default_of_the_cpu(model, optimizer, loader):
    for x, y in loader:
        with torch.autocast("cpu"):
            loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def default_of_the_cpu_class(model, optimizer, loader):
    for x, y in loader:
        with torch.cpu.amp.autocast():
            loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def default_of_hpu(model, optimizer, loader):
    for x, y in loader:
        with torch.autocast(device_type="hpu"), contextlib.nullcontext():
            loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def on_a_tpu(model, optimizer, loader):
    for x, y in loader:
        with xla_autocast(torch_xla.device()):
            loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def from_the_configuration(model, optimizer, loader, config):
    kinds = {"fp16": torch.float16, "bf16": torch.bfloat16}
    for x, y in loader:
        with torch.autocast("cuda", dtype=kinds[config.precision]):
            loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def by_name(model, optimizer, loader, args):
    for x, y in loader:
        with torch.autocast("cuda", dtype=getattr(torch, args.dtype)):
            loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def best_of_the_machine(model, optimizer, loader):
    kind = torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float16
    context = torch.autocast("cuda", dtype=kind)
    for x, y in loader:
        with context:
            loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def passed_through(model, optimizer, loader, **options):
    for x, y in loader:
        with torch.autocast("cuda", **options):
            loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def switched_off(model, optimizer, loader):
    for x, y in loader:
        with torch.autocast("cuda"):
            ids = x.argmax(-1)
            with torch.autocast("cuda", enabled=False):
                loss = F.cross_entropy(model(ids), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def off_where_it_is_differentiated(model, optimizer, loader, mixed, engine):
    for x, y in loader:
        with torch.autocast("cuda", enabled=mixed):
            loss = F.cross_entropy(model(x), y)
        if mixed:
            engine.differentiate(loss)
        else:
            loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def two_ways(model, optimizer, loader, mixed, engine):
    for x, y in loader:
        if not mixed:
            loss = F.cross_entropy(model(x), y)
        else:
            with torch.autocast("cuda"):
                loss = F.cross_entropy(model(x), y)
        if not mixed:
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
        else:
            engine.run(loss)


def of_two_contexts_one(model, optimizer, loader, brain):
    context = torch.autocast("cuda", torch.bfloat16) if brain else torch.autocast("cuda", torch.float16)
    for x, y in loader:
        with context:
            loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
