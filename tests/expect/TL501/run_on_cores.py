"""An object runs the function it is called with on every core, with the batches of the loader it is called with."""

import torch
import torch.nn.functional as F
import torch_xla.core.xla_model as xm
import torch_xla.distributed.data_parallel as dp
from torch.utils.data import DataLoader


class Net(torch.nn.Module):
    def forward(self, x):
        return x


def step(model, batches, device, context):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for number, (x, y) in enumerate(batches):
        if number == 0:
            context.first = x
        optimizer.zero_grad()
        loss = F.nll_loss(model(x), y)
        loss.backward()
        xm.optimizer_step(optimizer)


def check(model, batches, device, context):
    return sum(F.nll_loss(model(x), y) for x, y in batches)


def main(images, held_out, cores):
    loader = DataLoader(images, batch_size=64, shuffle=True)  # expect: TL501
    test_loader = DataLoader(held_out, batch_size=64)
    parallel = dp.DataParallel(Net, device_ids=xm.get_xla_supported_devices(max_devices=cores))
    for _ in range(3):
        parallel(step, loader)
        print(parallel(check, test_loader))


def nested(images, rate):
    def rounds(model, loader, device, context):
        optimizer = context.getattr_or("optimizer", lambda: torch.optim.SGD(model.parameters(), lr=rate))
        for number, (x, y) in enumerate(loader):
            optimizer.zero_grad()
            F.nll_loss(model(x), y).backward()
            xm.optimizer_step(optimizer)
            if number % 20 == 0:
                print(device, number)

    for epoch in range(3):
        data = DataLoader(images.of(epoch), batch_size=32)  # expect: TL501
        dp.DataParallel(Net, device_ids=[])(rounds, data)


def dropped(images):
    loader = DataLoader(images, batch_size=64, drop_last=True)
    dp.DataParallel(Net)(step, loader)


def fixed_by_the_object(images):
    loader = DataLoader(images, batch_size=64)
    dp.DataParallel(Net)(step, loader, fixed_batch_size=True)


def asked_for(images, options):
    loader = DataLoader(images, batch_size=64, drop_last=options.drop_last)
    dp.DataParallel(Net)(step, loader)


def on_other_machines(images, pool):
    loader = DataLoader(images, batch_size=64)
    pool.map(train_here, loader)


def train_here(model, loader, device, context):
    for x, y in loader:
        F.nll_loss(model(x), y).backward()
        context.optimizer.step()
        context.optimizer.zero_grad()
