"""torch_xla is imported, but this training is not on XLA; or a library completes the batches."""

import torch
from accelerate import Accelerator, DistributedType
from torch.utils.data import DataLoader

try:
    import torch_xla.core.xla_model as xm

    HAS_XLA = True
except ImportError:
    HAS_XLA = False


def fit(model, optimizer, images):
    model = model.cuda()
    for x, y in DataLoader(images, batch_size=32, shuffle=True):
        optimizer.zero_grad()
        model(x.cuda(), y.cuda()).backward()
        optimizer.step()


def devices():
    return xm.get_xla_supported_devices() if HAS_XLA else []


def prepared(model, optimizer, images):
    accelerator = Accelerator()
    loader = DataLoader(images, batch_size=32, shuffle=True)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    if accelerator.distributed_type == DistributedType.XLA:
        model.tie_weights()
    for x, y in loader:
        optimizer.zero_grad()
        accelerator.backward(model(x, y))
        optimizer.step()


def named(model, optimizer, images, name="cuda:0"):
    device = torch.device(name)
    for x, y in DataLoader(images, batch_size=32, shuffle=True):
        optimizer.zero_grad()
        model(x.to(device), y.to(device)).backward()
        optimizer.step()
