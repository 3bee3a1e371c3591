"""The step of torch_xla, or a plain one where the model is wrapped (as pytorch/xla's tests choose by a flag)."""

import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.distributed.parallel_loader as pl


def work(index, loader, wrapped):
    device = xm.xla_device()
    model = torch.nn.Linear(4, 4).to(device)
    if wrapped:
        model = torch.nn.parallel.DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in pl.MpDeviceLoader(loader, device):
        optimizer.zero_grad()
        model(x).sum().backward()
        if wrapped:
            optimizer.step()
        else:
            xm.optimizer_step(optimizer)


if __name__ == "__main__":
    torch_xla.launch(work, args=([torch.ones(2, 4)], True))
